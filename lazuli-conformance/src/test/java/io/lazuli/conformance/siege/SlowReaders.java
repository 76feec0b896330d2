package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.BatchText;
import java.io.IOException;
import java.util.List;

/** Clients that read every kind of large answer at 20 KB per second. */
final class SlowReaders implements Attack {

  private static final int BYTES_PER_TICK = 1_000;

  private String log = "";

  @Override
  public String name() {
    return "slow-readers";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, strength.of(150, 460));
    Stock.largeBlob(target, strength.of(16, 256));
    Stock.blocks(target, "blocks", strength.of(400, 40_000), new byte[1]);
    Stock.largeEntities(target);
    Stock.containers(target, strength.of(60, 1_000));
    Stock.queues(target, strength.of(60, 1_000));
    log = Stock.log(target, strength.of(50, 2_000));
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    int each = strength.of(4, 40);
    try (Attackers attackers = new Attackers(target, 200)) {
      for (byte[] request : requests(target)) {
        attackers.keep(
            each, () -> Attacker.sends(StorageService.BLOB, request).reading(BYTES_PER_TICK));
      }
      byte[] query = target.signed(StorageService.TABLE, "GET", "/stock()").bytes();
      byte[] batch = batch(target);
      for (byte[] request : List.of(query, batch)) {
        attackers.keep(
            each, () -> Attacker.sends(StorageService.TABLE, request).reading(BYTES_PER_TICK));
      }
      byte[] queues =
          target.signed(StorageService.QUEUE, "GET", "/?comp=list&include=metadata").bytes();
      attackers.keep(
          each, () -> Attacker.sends(StorageService.QUEUE, queues).reading(BYTES_PER_TICK));
      attackers.run(strength.period());
      return attackers.summary();
    }
  }

  /** Returns requests for every large answer of the blob service. */
  private List<byte[]> requests(Target target) {
    return List.of(
        target.anonymous(StorageService.BLOB, "GET", "/open/large").bytes(),
        target.anonymous(StorageService.BLOB, "GET", Stock.PUBLIC_LISTING).bytes(),
        target.signed(StorageService.BLOB, "GET", "/?comp=list&include=metadata").bytes(),
        target
            .signed(StorageService.BLOB, "GET", "/open/blocks?comp=blocklist&blocklisttype=all")
            .bytes(),
        target.signed(StorageService.BLOB, "GET", log).bytes());
  }

  private static byte[] batch(Target target) {
    BatchText batch = new BatchText(target.account(StorageService.TABLE).base());
    batch.add("GET", Stock.entity(0), "");
    return target
        .signed(StorageService.TABLE, "POST", "/$batch")
        .header("Content-Type", "multipart/mixed; boundary=" + batch.boundary())
        .body(batch.textOfReads())
        .bytes();
  }

  @Override
  public void check(Target target, Strength strength) {
    AccountProperties.remember(target.wire(StorageService.TABLE))
        .set(
            "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read>"
                + "<Write>false</Write><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>"
                + "</Logging>");
  }
}
