process CLALIGN_ALIGN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "clalign/clalign:0.1.0"

    input:
    tuple val(meta), path(query)
    tuple val(meta2), path(target)
    val formats

    output:
    tuple val(meta), path("${prefix}.*"), emit: alignment
    path "versions.yml"                 , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}.${meta2.id}"
    def outputs = formats.collect { ending -> "-o ${prefix}.${ending}" }.join(' ')
    // Half of what the task has is for the alignment; the rest is for kernels and files.
    def memory = task.memory ? "--memory ${task.memory.toMega().intdiv(2)}M" : ''
    """
    clalign \\
        align \\
        --quiet \\
        --threads $task.cpus \\
        $memory \\
        $args \\
        $outputs \\
        $query \\
        $target

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        clalign: \$(clalign version | sed -n 's/^clalign //p')
    END_VERSIONS
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}.${meta2.id}"
    def files = formats.collect { ending -> "${prefix}.${ending}" }.join(' ')
    """
    touch $files

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        clalign: \$(clalign version | sed -n 's/^clalign //p')
    END_VERSIONS
    """
}
