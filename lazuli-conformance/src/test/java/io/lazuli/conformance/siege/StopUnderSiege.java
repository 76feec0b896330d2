package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** SIGTERM while clients hold unfinished requests, unread answers and slow uploads. */
final class StopUnderSiege implements Attack {

  private static final byte[] HEAD =
      ("GET /devstoreaccount1/x HTTP/1.1\r\nHost: 127.0.0.1\r\n" + "a:\r\n".repeat(500))
          .getBytes(StandardCharsets.US_ASCII);

  @Override
  public String name() {
    return "stop";
  }

  @Override
  public boolean endsServer() {
    return true;
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, strength.of(150, 460));
    Stock.largeBlob(target, strength.of(16, 256));
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] list = target.anonymous(StorageService.BLOB, "GET", Stock.PUBLIC_LISTING).bytes();
    byte[] large = target.anonymous(StorageService.BLOB, "GET", "/open/large").bytes();
    byte[] upload =
        target
            .signed(StorageService.BLOB, "PUT", "/open/slow")
            .header("x-ms-blob-type", "BlockBlob")
            .body(new byte[1 << 20])
            .bytes();
    byte[] unfinished = Arrays.copyOf(upload, upload.length - (1 << 19));
    int each = strength.of(50, 300);
    try (Attackers attackers = new Attackers(target, 200)) {
      attackers.keep(each, () -> Attacker.sends(StorageService.BLOB, HEAD));
      attackers.keep(each, () -> Attacker.sends(StorageService.BLOB, list).reading(0));
      attackers.keep(each, () -> Attacker.sends(StorageService.BLOB, large).reading(1_000));
      attackers.keep(each, () -> Attacker.drips(StorageService.BLOB, unfinished, new byte[1]));
      attackers.keep(each, () -> Attacker.sends(StorageService.TABLE));
      attackers.run(strength.period());
      return stop(target, attackers);
    }
  }

  private static String stop(Target target, Attackers attackers) throws IOException {
    long begin = System.nanoTime();
    CompletableFuture<Integer> exit = target.process().terminate();
    attackers.run(Duration.ofSeconds(Siege.STOP_SECONDS_MAX), exit::isDone);
    if (!exit.isDone()) {
      throw new IOException("SIGTERM was ignored for " + Siege.STOP_SECONDS_MAX + " s");
    }
    return "%s; ended %.1f s after SIGTERM with exit code %d"
        .formatted(attackers.summary(), (System.nanoTime() - begin) / 1e9, exit.join());
  }
}
