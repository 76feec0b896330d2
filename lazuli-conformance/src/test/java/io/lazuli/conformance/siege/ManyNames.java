package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;

/** Very many tables, queues and containers. */
final class ManyNames implements Attack {

  @Override
  public String name() {
    return "names";
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    int count = strength.of(200, 40_000);
    Requests.send(
        target,
        StorageService.TABLE,
        count,
        i ->
            target
                .signed(StorageService.TABLE, "POST", "/Tables")
                .body("{\"TableName\":\"many%06d\"}".formatted(i))
                .bytes());
    Requests.send(
        target,
        StorageService.QUEUE,
        count,
        i -> target.signed(StorageService.QUEUE, "PUT", "/many%06d".formatted(i)).body("").bytes());
    Requests.send(
        target,
        StorageService.BLOB,
        count,
        i ->
            target
                .signed(StorageService.BLOB, "PUT", "/many%06d?restype=container".formatted(i))
                .body("")
                .bytes());
    return "%,d tables, queues and containers each".formatted(count);
  }

  @Override
  public void check(Target target, Strength strength) throws IOException {
    int count = strength.of(200, 40_000);
    Pages.requireValues(
        target, "/Tables?$filter=TableName%20ge%20'many'%20and%20TableName%20lt%20'manz'", count);
    Pages.require(target, StorageService.QUEUE, "/?comp=list&prefix=many", count);
    Pages.require(target, StorageService.BLOB, "/?comp=list&prefix=many", count);
  }
}
