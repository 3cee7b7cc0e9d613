// Runs the process of an nf-core style module without Nextflow: groovy run_nextflow.groovy main.nf SCRIPT_OUT NAME=VALUE...
//
// A process is Groovy: a call with a closure, whose labels are input:, script: and so on. The script's block is a string at the
// closure's end, and stub: has another one. This evaluates it with the given inputs and writes what bash is to run. It checks the
// module's syntax, its variables and its command. It does not stage files nor match outputs as Nextflow does.

class Task {
    def ext = [args: System.getenv('EXT_ARGS'), prefix: null, when: null]
    def cpus = 2
    def memory = new Object() { def toMega() { 2000 } }
    def process = 'CLALIGN'
}

class Recorder {
    def known = [:]
    def emitted = []
    def words = [] // names that stand for themselves, of outputs
    def propertyMissing(String name) {
        if (name in words) return name
        if (!known.containsKey(name)) throw new MissingPropertyException(name, Recorder)
        known[name]
    }
    void setProperty(String name, value) { known[name] = value }
    def getProperty(String name) { name in ['known', 'emitted', 'words'] ? this.@"$name" : propertyMissing(name) }
    def methodMissing(String name, arguments) {
        if (!(name in ['tag', 'label', 'conda', 'container', 'tuple', 'val', 'path'])) throw new MissingMethodException(name, Recorder, arguments)
        arguments.each { if (it instanceof Map && it.emit) emitted << it.emit }
        name
    }
}

def source = new File(args[0]).text
def values = args.drop(2).collectEntries { it.split('=', 2) as List }
def stub = values.remove('stub') == 'true'
// Statements of declarations name inputs that have values here, and outputs whose names come from the script: they are read
// before the script, as words. The script's own block is evaluated with them known.
def wanted = stub ? 'stub' : 'script'
def body = source.substring(source.indexOf('{') + 1, source.lastIndexOf('}'))
def blocks = [:].withDefault { [] }
def at = 'directives'
body.eachLine { line ->
    def label = line =~ /^    ([a-z]+):$/
    if (label) at = label[0][1]
    else blocks[at] << line
}
assert blocks.keySet().containsAll(['input', 'output', 'when', 'script', 'stub'])
def inputs = (blocks.input.join('\n') =~ /\b(?:val|path)[ (]([a-z0-9]+)/).collect { it[1] }
def recorder = new Recorder()
recorder.words.addAll((blocks.output.join('\n') =~ /emit: ([a-z]+)/).collect { it[1] })
def known = [task: new Task(), moduleDir: '.', meta: [id: 'test'], meta2: [id: 'reference'], formats: values.formats.split(',') as List]
values.each { name, value -> if (name != 'formats') known[name] = value }
inputs.each { assert known.containsKey(it): "the input $it has no value" }
known.each { name, value -> recorder.known[name] = value }
def evaluate = { String text ->
    def closure = new GroovyShell().evaluate("{ ->\n" + text + "\n}")
    closure.delegate = recorder
    closure.resolveStrategy = Closure.DELEGATE_FIRST
    closure()
}
assert evaluate(blocks.when.join('\n'))
def command = evaluate(blocks[wanted].join('\n'))
evaluate(blocks.directives.join('\n'))
evaluate(blocks.input.join('\n'))
evaluate(blocks.output.join('\n').replaceAll(/ +,/, ','))
assert recorder.emitted == ['alignment', 'versions']
new File(args[1]).text = 'set -euo pipefail\n' + command.toString().stripIndent()
