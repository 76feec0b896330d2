package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of parts, licences and checksums against the content of the archives. */
class ContentsIT {
  private static final Path REPOSITORY = Path.of(System.getProperty("dist.repository"));

  @TempDir private Path folder;

  /** Compares by checksum, so that a list with another version of a part is found too. */
  @Test
  void everyClassComesFromAListedPart() throws Exception {
    Path home = Dist.unpack(Dist.PLAIN, folder);
    assertThat(unlisted(home, "lazuli-server", List.of(home.resolve("lib/lazuli.jar")))).isEmpty();
    assertThat(unlisted(home, "lazuli-transfer", List.of(home.resolve("lib/lazuli-transfer.jar"))))
        .isEmpty();
    try (Stream<Path> engine = Files.list(home.resolve("lib/engines/hbase"))) {
      assertThat(unlisted(home, "lazuli-storage-hbase", engine.toList())).isEmpty();
    }
  }

  @Test
  void everyListedPartHasItsLicence() throws Exception {
    Path home = Dist.unpack(Dist.PLAIN, folder);
    Set<String> listed = new TreeSet<>();
    for (String program : List.of("lazuli-server", "lazuli-transfer", "lazuli-storage-hbase")) {
      for (Part part : parts(home, program)) {
        if (!part.group().equals("io.lazuli")) {
          listed.add(part.title());
        }
      }
    }
    assertThat(listed).hasSizeGreaterThan(40);
    for (String title : listed) {
      try (Stream<Path> texts = Files.list(home.resolve("licences").resolve(title))) {
        assertThat(texts).as(title).anyMatch(text -> text.toFile().length() > 500);
      }
    }
    assertThat(Files.readAllLines(home.resolve("licences/LIST"))).hasSameSizeAs(listed);
  }

  @Test
  void theJavaHasItsLicence() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    assertThat(Files.readString(home.resolve("java/legal/java.base/LICENSE")))
        .contains("\"CLASSPATH\" EXCEPTION TO THE GPL");
  }

  @Test
  void checksumsMatch() throws Exception {
    Process process =
        Dist.process(Map.of("PATH", "/usr/bin:/bin"), "sha256sum", "--check", "SHA256SUMS")
            .directory(Dist.FOLDER.toFile())
            .start();
    try (Stream<String> lines = process.inputReader().lines()) {
      assertThat(lines)
          .containsExactlyInAnyOrderElementsOf(
              Dist.files().stream().map(file -> file + ": OK").toList());
    }
    assertThat(process.onExit().join().exitValue()).isZero();
  }

  private record Part(String group, String name, String version) {
    String title() {
      return name + "-" + version;
    }

    /** Parts of this build are in the folders of their modules. */
    Path jar() {
      return group.equals("io.lazuli")
          ? Dist.SOURCE.resolve(name).resolve("target").resolve(title() + ".jar")
          : REPOSITORY
              .resolve(group.replace('.', '/'))
              .resolve(name)
              .resolve(version)
              .resolve(title() + ".jar");
    }
  }

  /** Returns the classes of jars that are in no part of a program's list. */
  private static Set<String> unlisted(Path home, String program, List<Path> jars)
      throws IOException {
    Map<String, Set<Long>> known = new HashMap<>();
    for (Part part : parts(home, program)) {
      classes(part.jar())
          .forEach((name, sum) -> known.computeIfAbsent(name, any -> new HashSet<>()).addAll(sum));
    }
    Path own = Dist.SOURCE.resolve(program).resolve("target/classes");
    Set<String> unlisted = new TreeSet<>();
    for (Path jar : jars) {
      classes(jar)
          .forEach(
              (name, sums) -> {
                if (!known.getOrDefault(name, Set.of()).containsAll(sums)
                    && !Files.exists(own.resolve(name))) {
                  unlisted.add(name);
                }
              });
    }
    return unlisted;
  }

  private static Map<String, Set<Long>> classes(Path jar) throws IOException {
    Map<String, Set<Long>> sums = new HashMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (entry.getName().endsWith(".class")) {
          sums.computeIfAbsent(entry.getName(), any -> new HashSet<>()).add(entry.getCrc());
        }
      }
    }
    return sums;
  }

  private static Set<Part> parts(Path home, String program) throws IOException {
    byte[] list = Files.readAllBytes(home.resolve("sbom").resolve(program + ".cdx.json"));
    try (JsonReader reader = JsonProviders.createReader(list)) {
      Map<String, Object> all = reader.readMap(JsonReader::readUntyped);
      assertThat(all).containsEntry("bomFormat", "CycloneDX");
      Set<Part> parts = new HashSet<>();
      for (Object one : (List<?>) all.get("components")) {
        Map<?, ?> part = (Map<?, ?>) one;
        parts.add(
            new Part(
                part.get("group").toString(),
                part.get("name").toString(),
                part.get("version").toString()));
      }
      return parts;
    }
  }
}
