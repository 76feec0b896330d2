package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive's Java has the modules to which the archive's jars refer. */
class ModulesIT {
  private static final Map<String, String> NOTHING = Map.of();

  @TempDir private Path folder;

  @Test
  void jdepsFindsNoModuleThatIsMissing() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Set<String> present =
        Dist.run(NOTHING, home.resolve("java/bin/java").toString(), "--list-modules")
            .lines()
            .map(line -> line.replaceAll("@.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> needed = new TreeSet<>();
    String jdeps = Path.of(System.getProperty("java.home"), "bin", "jdeps").toString();
    try (Stream<Path> files = Files.walk(home.resolve("lib"))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        String said =
            Dist.run(
                NOTHING,
                jdeps,
                "--multi-release=17",
                "--ignore-missing-deps",
                "--print-module-deps",
                jar.toString());
        needed.addAll(List.of(said.strip().split(",")));
      }
    }
    assertThat(needed).contains("java.base", "java.net.http");
    assertThat(present).containsAll(needed);
  }
}
