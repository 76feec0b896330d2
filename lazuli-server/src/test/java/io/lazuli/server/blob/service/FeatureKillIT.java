package io.lazuli.server.blob.service;

import io.lazuli.server.outbound.TestSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the packed server while blobs are tagged, soft-deleted and restored, versioned, written in
 * pages, copied from another server, held, and expire, and while containers are deleted and
 * restored. Everything that was acknowledged is there afterwards, and nothing in part. After a
 * round of the collector, the chunks on disk are exactly those that records refer to.
 */
class FeatureKillIT {
  @TempDir private Path folder;

  @Test
  void killsLoseNothing() throws IOException, InterruptedException {
    writeOverKills(2);
  }

  @Test
  void killsLoseNoVersion() throws IOException, InterruptedException {
    writeVersionsOverKills(2);
  }

  @Test
  void killsLoseNoContainerAndNoExpiry() throws IOException, InterruptedException {
    removeOverKills(2);
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void manyKillsLoseNoContainerAndNoExpiry() throws IOException, InterruptedException {
    removeOverKills(Integer.getInteger("kill.rounds", 40));
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void manyKillsLoseNothing() throws IOException, InterruptedException {
    writeOverKills(Integer.getInteger("kill.rounds", 40));
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void manyKillsLoseNoVersion() throws IOException, InterruptedException {
    writeVersionsOverKills(Integer.getInteger("kill.rounds", 40));
  }

  private void writeOverKills(int kills) throws IOException, InterruptedException {
    TestSource.Script script =
        (head, out) -> {
          byte[] content = FeatureWriter.content(FeatureWriters.PendingCopy.step(head));
          String answer =
              "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: " + content.length + "\r\n\r\n";
          out.write(answer.getBytes(StandardCharsets.US_ASCII));
          out.write(content);
        };
    try (TestSource source = new TestSource(script)) {
      List<FeatureWriter> writers =
          List.of(
              new FeatureWriters.Tags(0),
              new FeatureWriters.Tags(1),
              new FeatureWriters.SoftDelete(0),
              new FeatureWriters.SoftDelete(1),
              new FeatureWriters.Pages(0),
              new FeatureWriters.Pages(1),
              new FeatureWriters.PendingCopy(0, source.url("/contents/")),
              new FeatureWriters.PendingCopy(1, source.url("/contents/")));
      String listed = "--copy-source=http://127.0.0.1:" + source.port();
      try (KillRounds rounds = new KillRounds(folder, writers, listed)) {
        rounds.run(kills);
      }
    }
  }

  private void removeOverKills(int kills) throws IOException, InterruptedException {
    List<FeatureWriter> writers =
        List.of(
            new FeatureWriters.Containers(0),
            new FeatureWriters.Containers(1),
            new FeatureWriters.Expiries(0),
            new FeatureWriters.Expiries(1));
    try (KillRounds rounds = new KillRounds(folder, writers, "--container-retention-days=7")) {
      rounds.run(kills);
    }
  }

  /** Of an account with versions, other writers would keep all their contents. */
  private void writeVersionsOverKills(int kills) throws IOException, InterruptedException {
    List<FeatureWriter> writers =
        List.of(
            new FeatureWriters.Versions(0),
            new FeatureWriters.Versions(1),
            new FeatureWriters.Versions(2),
            new FeatureWriters.Tags(0),
            new FeatureWriters.Holds(0));
    String[] options = {"--blob-versioning", "--blob-immutability"};
    try (KillRounds rounds = new KillRounds(folder, writers, options)) {
      rounds.run(kills);
    }
  }
}
