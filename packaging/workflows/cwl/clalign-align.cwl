cwlVersion: v1.2
class: CommandLineTool
label: clalign align
doc: Aligns two DNA or protein sequences exactly, on any OpenCL device.
hints:
  DockerRequirement: {dockerPull: "clalign/clalign:0.1.0"}
  SoftwareRequirement: {packages: {clalign: {version: ["0.1.0"]}}}
  ResourceRequirement: {coresMin: 2, ramMin: 2000}
requirements:
  InlineJavascriptRequirement: {}
baseCommand: [clalign, align, --quiet]
arguments:
  - {prefix: --threads, valueFrom: $(runtime.cores), position: 1}
  - {prefix: --memory, valueFrom: $(Math.floor(runtime.ram / 2))M, position: 1}
  - {prefix: -o, valueFrom: $(inputs.name).paf, position: 3}
  - {prefix: -o, valueFrom: $(inputs.name).bam, position: 3}
  - {prefix: -o, valueFrom: $(inputs.name).vcf.gz, position: 3}
  - {prefix: --save, valueFrom: $(inputs.name).cla, position: 3}
inputs:
  query: {type: File, doc: "FASTA or FASTQ with one sequence, plain or gzip", inputBinding: {position: 10}}
  target: {type: File, doc: "likewise", inputBinding: {position: 11}}
  name: {type: string, default: alignment, doc: "name of the outputs without their endings"}
  preset: {type: "string?", doc: "scores, gap costs and mode for a purpose, as genome", inputBinding: {prefix: --preset, position: 2}}
  mode:
    type:
      - "null"
      - {type: enum, symbols: [local, global, semi-global, overlap, extend]}
    inputBinding: {prefix: --mode, position: 2}
  strand:
    type:
      - "null"
      - {type: enum, symbols: [forward, reverse, both]}
    inputBinding: {prefix: --strand, position: 2}
  extra: {type: "string[]?", doc: "further options of clalign align", inputBinding: {position: 2}}
outputs:
  paf: {type: File, outputBinding: {glob: $(inputs.name).paf}}
  bam: {type: File, outputBinding: {glob: $(inputs.name).bam}}
  vcf: {type: File, outputBinding: {glob: $(inputs.name).vcf.gz}}
  alignment: {type: File, doc: "for clalign show and verify", outputBinding: {glob: $(inputs.name).cla}}
