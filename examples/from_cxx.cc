// The headers in C++: the same calls, with what has to be freed in a smart pointer.

#include <clalign/clalign.h>

#include <iostream>
#include <memory>
#include <string>

template <typename Thing>
using owned = std::unique_ptr<Thing, void (*)(Thing *)>;

static owned<cla_sequence> make_sequence(const char *name, const std::string &letters, cla_error *error) {
  cla_sequence *made = nullptr;
  cla_sequence_from_letters(&made, name, letters.data(), static_cast<int64_t>(letters.size()), error);
  return {made, cla_sequence_free};
}

int main() {
  cla_error error = {};
  cla_device *opened = nullptr;
  cla_device_open(&opened, nullptr, &error);
  const owned<cla_device> device(opened, cla_device_close);
  const auto query = make_sequence("query", "GATTACA", &error);
  const auto target = make_sequence("target", "GATTTACA", &error);
  cla_alignment *found = nullptr;
  cla_align_options options;
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  if (device && query && target) cla_align(&found, device.get(), query.get(), target.get(), &options, &error);
  const owned<cla_alignment> alignment(found, cla_alignment_free);
  if (!alignment) {
    std::cerr << error.message << "\n";
    return 1;
  }
  std::cout << "score " << alignment->score << "\n";
}
