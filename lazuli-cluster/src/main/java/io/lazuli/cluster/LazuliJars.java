package io.lazuli.cluster;

import java.nio.file.Path;

/**
 * The files that a Lazuli server on a cluster runs from.
 *
 * @param server the jar of the server
 * @param engineFolder the folder with the jars of the HBase engine
 */
public record LazuliJars(Path server, Path engineFolder) {}
