// The search takes a dash before a word for "without this word". Here such a word is an option.
const send = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message && typeof message.data === "string")
    message = { ...message, data: message.data.replace(/(^|\s)[-+]+/g, "$1") };
  return send.call(this, message, ...rest);
};
