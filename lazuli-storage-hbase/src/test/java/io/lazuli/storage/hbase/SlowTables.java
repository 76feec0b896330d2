package io.lazuli.storage.hbase;

import io.lazuli.cluster.Cluster;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes the region servers of a real cluster slow: each row that is read from the table of
 * entities, and each batch that is written there, occupies a handler for a while, as with a slow
 * disk. So the rate at which a region server is saturated does not depend on the machine of the
 * test.
 */
final class SlowTables {
  /** The name of the class, for {@code hbase.coprocessor.user.region.classes}. */
  static final String CLASS = "SlowTablesObserver";

  private static final String SOURCE =
      """
      import java.util.List;
      import java.util.Optional;
      import org.apache.hadoop.hbase.Cell;
      import org.apache.hadoop.hbase.client.Get;
      import org.apache.hadoop.hbase.client.Mutation;
      import org.apache.hadoop.hbase.client.Result;
      import org.apache.hadoop.hbase.coprocessor.ObserverContext;
      import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
      import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
      import org.apache.hadoop.hbase.coprocessor.RegionObserver;
      import org.apache.hadoop.hbase.regionserver.InternalScanner;
      import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

      public class SlowTablesObserver implements RegionCoprocessor, RegionObserver {
        @Override
        public Optional<RegionObserver> getRegionObserver() {
          return Optional.of(this);
        }

        @Override
        public void preGetOp(
            ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result) {
          pause(c, "slow.millis", 10);
        }

        @Override
        public void preBatchMutate(
            ObserverContext<RegionCoprocessorEnvironment> c,
            MiniBatchOperationInProgress<Mutation> batch) {
          pause(c, "slow.millis", 10);
        }

        @Override
        public boolean preScannerNext(
            ObserverContext<RegionCoprocessorEnvironment> c,
            InternalScanner scanner,
            List<Result> result,
            int limit,
            boolean hasNext) {
          pause(c, "slow.scan.millis", 0);
          return hasNext;
        }

        private static void pause(
            ObserverContext<RegionCoprocessorEnvironment> c, String key, int normal) {
          String table = c.getEnvironment().getRegionInfo().getTable().getNameAsString();
          if (table.equals("lazuli:tables")) {
            try {
              Thread.sleep(c.getEnvironment().getConfiguration().getInt(key, normal));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        }
      }
      """;

  private SlowTables() {}

  /** Compiles the class against the jars of HBase, and returns the folder for the class path. */
  static Path compile(Path folder) {
    try {
      Path file = Files.writeString(folder.resolve(CLASS + ".java"), SOURCE);
      Path classes = Files.createDirectories(folder.resolve("classes"));
      List<String> options =
          List.of(
              "-proc:none", "-nowarn", "--release", "11", "-cp", jars(), "-d", classes.toString());
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      StringWriter output = new StringWriter();
      try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
        if (!compiler
            .getTask(
                output,
                manager,
                null,
                options,
                null,
                manager.getJavaFileObjectsFromPaths(List.of(file)))
            .call()) {
          throw new AssertionError(output.toString());
        }
      }
      return classes;
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static String jars() throws IOException, URISyntaxException {
    Path own = Path.of(Cluster.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> jars = Files.list(own.resolveSibling("hbase"))) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }
}
