package io.lazuli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The files that a Lazuli server on a cluster runs from.
 *
 * @param server the jar of the server
 * @param engineFolder the folder with the jars of the HBase engine
 */
public record LazuliJars(Path server, Path engineFolder) {
  private static final String FILTER = "lazuli-hbase-filter-";

  /** Returns the jar with which region servers evaluate the conditions of queries. */
  public Path filter() {
    try (Stream<Path> jars = Files.list(engineFolder)) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith(FILTER))
          .findFirst()
          .orElseThrow(
              () -> new ClusterException(engineFolder + " has no " + FILTER + "*.jar", null));
    } catch (IOException e) {
      throw new ClusterException("cannot list " + engineFolder, e);
    }
  }
}
