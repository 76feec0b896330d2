package io.lazuli.cluster;

import java.nio.file.Path;

/**
 * The files that a Lazuli server on a cluster runs from.
 *
 * @param server the packed server
 * @param engineFolder the jars of the engine
 */
public record LazuliJars(Path server, Path engineFolder) {}
