package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One container with a model of its lease and conditions. Mutable. */
final class ModelledContainer extends ModelledResource {
  private final String path;
  private @Nullable String owner;
  private int written;

  ModelledContainer(WireServer server, String container) {
    super(server, "Container");
    this.path = container + "?restype=container";
  }

  void step(Random random) {
    if (tag == null) {
      create();
    } else {
      change(random);
    }
    compare();
  }

  private void change(Random random) {
    switch (random.nextInt(10)) {
      case 0 -> delete(random);
      case 1 -> setMetadata(random);
      case 2 -> setAccess(random);
      case 3 -> read(random);
      case 4 -> createAgain();
      default -> {
        ConditionsModel conditions = conditions(random).datesOnly();
        Expected refusal = refusal(conditions, null, false);
        leaseOperation(path + "&comp=lease", random, conditions, refusal);
      }
    }
  }

  private void create() {
    Answer answer = server.owner("PUT", path, "", "x-ms-meta-a: new");
    Expected.of(201, null).verify(answer);
    changed(answer);
    owner = "new";
  }

  private void createAgain() {
    Expected.of(409, "ContainerAlreadyExists").verify(server.owner("PUT", path, ""));
  }

  private @Nullable Expected refusal(
      ConditionsModel conditions, @Nullable String leaseId, boolean leaseNeeded) {
    if (conditions.form() != null) {
      return conditions.form();
    }
    Expected locked = lease.refusal(leaseId, leaseNeeded, now());
    return locked == null ? conditions.write("", changedSeconds, false, "ConditionNotMet") : locked;
  }

  private void delete(Random random) {
    ConditionsModel conditions = conditions(random).datesOnly();
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true);
    Answer answer = server.owner("DELETE", path, "", headers(conditions, id));
    if (happened(refusal, 202, answer)) {
      tag = null;
      lease.forget();
    }
  }

  private void setMetadata(Random random) {
    ConditionsModel dates = conditions(random).datesOnly();
    ConditionsModel conditions = new ConditionsModel(null, null, dates.modified(), null);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, false);
    String value = "v" + ++written;
    Answer answer =
        server.owner(
            "PUT", path + "&comp=metadata", "", headers(conditions, id, "x-ms-meta-a: " + value));
    if (happened(refusal, 200, answer)) {
      changed(answer);
      owner = value;
    }
  }

  private void setAccess(Random random) {
    ConditionsModel conditions = conditions(random).datesOnly();
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, false);
    Answer answer = server.owner("PUT", path + "&comp=acl", "", headers(conditions, id));
    if (happened(refusal, 200, answer)) {
      changed(answer);
    }
  }

  /**
   * Reads the container. The server ignores conditions, and checks the lease only if the request
   * has an id (blob-rest 4.4, 5.2).
   */
  private void read(Random random) {
    String id = leaseId(random);
    String query = random.nextBoolean() ? "" : "&comp=acl";
    Answer answer = server.owner("GET", path + query, "", headers(conditions(random), id));
    happened(lease.refusal(id, false, now()), 200, answer);
  }

  private static boolean happened(@Nullable Expected refusal, int success, Answer answer) {
    (refusal == null ? Expected.of(success, null) : refusal).verify(answer);
    return refusal == null;
  }

  private void compare() {
    Answer head = server.owner("HEAD", path, "");
    if (tag == null) {
      Expected.of(404, "ContainerNotFound").verify(head);
      return;
    }
    Expected.of(200, null).verify(head);
    compareLease(head);
    assertThat(head.header("x-ms-meta-a")).isEqualTo(owner);
  }
}
