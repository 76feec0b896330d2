package io.lazuli.cluster;

import java.nio.file.Path;

/**
 * What a Lazuli server on a cluster is run from.
 *
 * @param server the packed server
 * @param engineFolder the jars of the engine
 */
public record LazuliJars(Path server, Path engineFolder) {}
