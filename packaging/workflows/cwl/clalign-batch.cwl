cwlVersion: v1.2
class: CommandLineTool
label: clalign batch
doc: Aligns each sequence of a file exactly with those of another one, on the better strand.
hints:
  DockerRequirement: {dockerPull: "clalign/clalign:0.1.0"}
  SoftwareRequirement: {packages: {clalign: {version: ["0.1.0"]}}}
  ResourceRequirement: {coresMin: 2, ramMin: 2000}
requirements:
  InlineJavascriptRequirement: {}
baseCommand: [clalign, batch, --quiet, --all-vs-all, --strand, both]
arguments:
  - {prefix: --threads, valueFrom: $(runtime.cores), position: 1}
  - {prefix: --memory, valueFrom: $(Math.floor(runtime.ram / 2))M, position: 1}
  - {prefix: -o, valueFrom: $(inputs.name).paf, position: 3}
  - {prefix: -o, valueFrom: $(inputs.name).bam, position: 3}
inputs:
  query: {type: File, doc: "FASTA or FASTQ, plain or gzip", inputBinding: {position: 10}}
  target: {type: File, doc: "likewise", inputBinding: {position: 11}}
  name: {type: string, default: alignments, doc: "name of the outputs without their endings"}
  top: {type: "int?", doc: "of each query only the pairs with the best scores", inputBinding: {prefix: --top, position: 2}}
  extra: {type: "string[]?", doc: "further options of clalign batch", inputBinding: {position: 2}}
outputs:
  paf: {type: File, outputBinding: {glob: $(inputs.name).paf}}
  bam: {type: File, outputBinding: {glob: $(inputs.name).bam}}
