package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds a copy of the sources in another folder, in another time zone and language, and without
 * tests, and compares the archives with those of this build. Maven is not offline, because the
 * plugin that lists the parts does nothing then; everything is in the local repository.
 */
class ReproducibleIT {
  @TempDir private Path folder;

  @Test
  void anotherBuildMakesTheSameBytes() throws Exception {
    Path copy = folder.resolve("copy");
    for (String name : sources()) {
      Path target = copy.resolve(name);
      Files.createDirectories(target.getParent());
      Path source = Dist.SOURCE.resolve(name);
      if (Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
        Files.copy(source, target, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            "/bin/sh",
            "-c",
            "umask 022; exec \"$@\"",
            "sh",
            System.getProperty("dist.maven"),
            "-q",
            "-B",
            "-Pdist",
            "-Dmaven.repo.local=" + System.getProperty("dist.repository"),
            "-Dmaven.test.skip",
            "-Dspotless.check.skip",
            "-pl",
            "lazuli-dist",
            "-am",
            "package");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TZ", "Pacific/Chatham");
    builder.environment().put("LC_ALL", "tr_TR.UTF-8");
    Process build = builder.directory(copy.toFile()).redirectErrorStream(true).start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(build.onExit().join().exitValue()).as(said).isZero();
    for (String archive : Dist.files()) {
      assertThat(
              Files.mismatch(
                  Dist.FOLDER.resolve(archive), copy.resolve("lazuli-dist/target/" + archive)))
          .as(archive)
          .isEqualTo(-1);
    }
  }

  /** Returns the files that Git tracks or would add. */
  private static List<String> sources() throws IOException {
    Process git =
        Dist.process(
                Map.of("PATH", "/usr/bin:/bin"),
                "git",
                "ls-files",
                "--cached",
                "--others",
                "--exclude-standard")
            .directory(Dist.SOURCE.toFile())
            .start();
    String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.onExit().join().exitValue()).isZero();
    return names.lines().toList();
  }
}
