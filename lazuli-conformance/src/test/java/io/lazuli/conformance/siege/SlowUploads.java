package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.util.Arrays;

/** Bodies of blobs, entities and messages that arrive byte by byte, with and without a key. */
final class SlowUploads implements Attack {

  private static final int BLOB_BYTES = 1 << 20;
  private static final int TABLE_BYTES = 4 << 20;
  private static final int QUEUE_BYTES = 60_000;

  @Override
  public String name() {
    return "slow-uploads";
  }

  @Override
  public boolean takesConnections() {
    return true;
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, 1);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] blob = head(target.signed(StorageService.BLOB, "PUT", "/open/slow"), BLOB_BYTES);
    byte[] stranger = head(target.anonymous(StorageService.BLOB, "PUT", "/open/slow"), BLOB_BYTES);
    byte[] entity =
        target.signed(StorageService.TABLE, "POST", "/legit").body(new byte[TABLE_BYTES]).bytes();
    byte[] message =
        head(target.signed(StorageService.QUEUE, "POST", "/legit/messages"), QUEUE_BYTES);
    try (Attackers attackers = new Attackers(target, 200)) {
      attackers.keep(strength.of(100, 1_500), () -> slowly(StorageService.BLOB, blob));
      attackers.keep(strength.of(50, 500), () -> slowly(StorageService.BLOB, stranger));
      attackers.keep(strength.of(50, 500), () -> slowly(StorageService.QUEUE, message));
      attackers.keep(strength.count(16, TABLE_BYTES), () -> almost(StorageService.TABLE, entity));
      attackers.run(strength.period());
      return attackers.summary();
    }
  }

  private static byte[] head(WireRequest request, int bodyBytes) {
    byte[] all = request.header("x-ms-blob-type", "BlockBlob").body(new byte[bodyBytes]).bytes();
    return Arrays.copyOf(all, all.length - bodyBytes);
  }

  /** Sends the head of a request and then a byte of its body in each tick. */
  private static Attacker slowly(StorageService service, byte[] head) {
    return Attacker.drips(service, head, new byte[1]);
  }

  /** Sends all but the last byte, as fast as the server takes it. */
  private static Attacker almost(StorageService service, byte[] request) {
    return Attacker.sends(service, Arrays.copyOf(request, request.length - 1));
  }

  @Override
  public void check(Target target, Strength strength) throws IOException {
    WireAnswer answer = target.wire(StorageService.BLOB).get("/open/slow").send();
    if (answer.status() != 404) {
      throw new IOException("an unfinished upload left a blob: " + answer.statusLine());
    }
  }
}
