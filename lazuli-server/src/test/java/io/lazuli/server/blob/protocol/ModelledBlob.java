package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One blob of one type with a model of its behaviour. Mutable. */
final class ModelledBlob extends ModelledResource {
  private static final String SOURCE_CONTENT = "from elsewhere";

  private final String path;
  private final String type;
  private final String source;
  private final String sourceTag;
  private final long sourceSeconds;
  private final Map<String, String> snapshots = new LinkedHashMap<>();
  private String content = "";
  private @Nullable String owner;
  private @Nullable String language;
  private int written;

  ModelledBlob(WireServer server, String container, String name, String type) {
    super(server, "Blob");
    this.path = container + "/" + name;
    this.type = type;
    this.source = container + "/source-of-" + name;
    Answer put = server.owner("PUT", source, SOURCE_CONTENT, "x-ms-blob-type: BlockBlob");
    this.sourceTag = put.header("ETag");
    this.sourceSeconds = seconds(put);
  }

  private boolean isLog() {
    return type.equals("AppendBlob");
  }

  /** Makes one request; returns true if it succeeds. */
  boolean step(Random random) {
    boolean happened =
        switch (random.nextInt(tag == null ? 5 : 18)) {
          case 0, 1 -> put(random);
          case 2 -> isLog() ? put(random) : commit(random);
          case 3 -> isLog() ? append(random) : copy(random);
          case 4, 5 -> read(random);
          case 6 -> append(random);
          case 7 -> setMetadata(random);
          case 8 -> setProperties(random);
          case 9 -> snapshot(random);
          case 10 -> delete(random);
          case 11 -> ignoresConditions(random);
          case 12 -> unsupported(random);
          default -> lease(random);
        };
    compare(random);
    return happened;
  }

  private boolean lease(Random random) {
    ConditionsModel conditions = conditions(random);
    Expected refusal = refusal(conditions, null, false, false);
    return leaseOperation(path + "?comp=lease", random, conditions, refusal);
  }

  /** Returns why a write is refused, in the order of blob-rest 4.4; null if it is not. */
  private @Nullable Expected refusal(
      ConditionsModel conditions, @Nullable String leaseId, boolean leaseNeeded, boolean creates) {
    return refusal(conditions, leaseId, leaseNeeded, creates, false);
  }

  private @Nullable Expected refusal(
      ConditionsModel conditions,
      @Nullable String leaseId,
      boolean leaseNeeded,
      boolean creates,
      boolean copies) {
    if (conditions.form() != null) {
      return conditions.form();
    } else if (tag == null && !creates) {
      return Expected.of(404, "BlobNotFound");
    }
    Expected locked = lease.refusal(leaseId, leaseNeeded, now());
    if (locked != null) {
      return locked;
    } else if (copies && lease.isLocked(now()) && lease.isForATime()) {
      return Expected.of(412, "InfiniteLeaseDurationRequired");
    }
    String code = copies ? "TargetConditionNotMet" : "ConditionNotMet";
    if (tag == null) {
      return conditions.match() == null ? null : Expected.of(412, code);
    }
    return conditions.write(tag, changedSeconds, creates, code);
  }

  private boolean happened(@Nullable Expected refusal, int success, Answer answer) {
    (refusal == null ? Expected.of(success, null) : refusal).verify(answer);
    return refusal == null;
  }

  private boolean put(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, true);
    String body = isLog() ? "" : "put " + ++written;
    Answer answer =
        server.owner(
            "PUT",
            path,
            body,
            headers(conditions, id, "x-ms-blob-type: " + type, "x-ms-meta-a: 1"));
    return happened(refusal, 201, answer) && replaced(answer, body, "1");
  }

  private boolean commit(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, true);
    Answer answer =
        server.owner("PUT", path + "?comp=blocklist", "<BlockList />", headers(conditions, id));
    return happened(refusal, 201, answer) && replaced(answer, "", null);
  }

  /**
   * Copies with conditions on the source or on the target, but not on both: the specification does
   * not say which are checked first.
   */
  private boolean copy(Random random) {
    boolean synchronous = random.nextBoolean();
    ConditionsModel conditions = random.nextBoolean() ? conditions(random) : ConditionsModel.NONE;
    ConditionsModel ofSource =
        conditions.equals(ConditionsModel.NONE)
            ? ConditionsModel.random(random, sourceTag, sourceSeconds)
            : ConditionsModel.NONE;
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, true, !synchronous);
    Expected read = ofSource.read(sourceTag, sourceSeconds);
    if (read != null && (refusal != null || read.status() == 400)) {
      return false;
    } else if (read != null) {
      refusal =
          synchronous
              ? Expected.of(read.status(), "CannotVerifyCopySource")
              : Expected.of(412, "SourceConditionNotMet");
    }
    List<String> more = new ArrayList<>(ofSource.headers("x-ms-source-"));
    more.add("x-ms-copy-source: http://localhost/devstoreaccount1" + source);
    more.add("x-ms-requires-sync: " + synchronous);
    Answer answer =
        server.owner("PUT", path, "", headers(conditions, id, more.toArray(String[]::new)));
    return happened(refusal, 202, answer) && replaced(answer, SOURCE_CONTENT, null);
  }

  private boolean replaced(Answer answer, String newContent, @Nullable String newOwner) {
    changed(answer);
    content = newContent;
    owner = newOwner;
    language = null;
    lease.written(now());
    return true;
  }

  private boolean append(Random random) {
    if (!isLog()) {
      return read(random);
    }
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, false);
    String more = "+" + ++written;
    Answer answer = server.owner("PUT", path + "?comp=appendblock", more, headers(conditions, id));
    if (!happened(refusal, 201, answer)) {
      return false;
    }
    assertThat(answer.header("x-ms-blob-append-offset")).isEqualTo("" + content.length());
    changed(answer);
    content += more;
    lease.written(now());
    return true;
  }

  private boolean read(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    String method = random.nextBoolean() ? "GET" : "HEAD";
    String query = random.nextInt(3) == 0 ? "?comp=metadata" : "";
    Answer answer = server.owner(method, path + query, "", headers(conditions, id));
    Expected refusal = Expected.of(404, "BlobNotFound");
    if (tag != null) {
      Expected locked = lease.refusal(id, false, now());
      refusal = locked == null ? conditions.read(tag, changedSeconds) : locked;
    }
    if (refusal != null && refusal.status() == 304) {
      assertThat(answer.body()).isEmpty();
    }
    if (refusal == null && method.equals("GET") && query.isEmpty()) {
      assertThat(answer.body()).isEqualTo(content);
    }
    return happened(refusal, 200, answer);
  }

  private boolean setMetadata(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, false);
    String value = "v" + ++written;
    Answer answer =
        server.owner(
            "PUT", path + "?comp=metadata", "", headers(conditions, id, "x-ms-meta-a: " + value));
    if (happened(refusal, 200, answer)) {
      changed(answer);
      owner = value;
      lease.written(now());
    }
    return refusal == null;
  }

  private boolean setProperties(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, false);
    String value = "l" + ++written;
    Answer answer =
        server.owner(
            "PUT",
            path + "?comp=properties",
            "",
            headers(conditions, id, "x-ms-blob-content-language: " + value));
    if (happened(refusal, 200, answer)) {
      changed(answer);
      language = value;
      lease.written(now());
    }
    return refusal == null;
  }

  private boolean snapshot(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, false, false);
    Answer answer = server.owner("PUT", path + "?comp=snapshot", "", headers(conditions, id));
    if (happened(refusal, 201, answer)) {
      assertThat(answer.header("ETag")).isEqualTo(tag);
      snapshots.put(answer.header("x-ms-snapshot"), content);
    }
    return refusal == null;
  }

  private boolean delete(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    Expected refusal = refusal(conditions, id, true, false);
    boolean include = random.nextBoolean();
    if (refusal == null && !include && !snapshots.isEmpty()) {
      refusal = Expected.of(409, "SnapshotsPresent");
    }
    String[] more = include ? new String[] {"x-ms-delete-snapshots: include"} : new String[0];
    Answer answer = server.owner("DELETE", path, "", headers(conditions, id, more));
    if (happened(refusal, 202, answer)) {
      tag = null;
      lease.forget();
      snapshots.clear();
    }
    return refusal == null;
  }

  /** Runs an operation of blob-rest 4.4, which checks the lease only. */
  private boolean ignoresConditions(Random random) {
    ConditionsModel conditions = conditions(random);
    String id = leaseId(random);
    int which = random.nextInt(isLog() ? 2 : 4);
    boolean writes = which == 0 || which == 2;
    Expected refusal = lease.refusal(id, writes, now());
    String[] all = headers(conditions, id);
    String[] withTier = Arrays.copyOf(all, all.length + 1);
    withTier[all.length] = "x-ms-access-tier: Cool";
    Answer answer =
        switch (which) {
          case 0 -> server.owner("PUT", path + "?comp=tags", "<Tags><TagSet /></Tags>", all);
          case 1 -> server.owner("GET", path + "?comp=tags", "", all);
          case 2 -> server.owner("PUT", path + "?comp=block&blockid=QUFB", "staged", all);
          default -> server.owner("PUT", path + "?comp=tier", "", withTier);
        };
    int success = List.of(204, 200, 201, 200).get(which);
    if (happened(refusal, success, answer) && writes) {
      lease.written(now());
    }
    return refusal == null;
  }

  private boolean unsupported(Random random) {
    String header = random.nextBoolean() ? "x-ms-if-tags: a" : "x-ms-lease-id: mine";
    Answer answer = server.owner("PUT", path + "?comp=metadata", "", header);
    return happened(Expected.of(400, "InvalidHeaderValue"), 200, answer);
  }

  /** Compares the stored blob with the model. */
  private void compare(Random random) {
    Answer head = server.owner("HEAD", path, "");
    if (tag == null) {
      Expected.of(404, "BlobNotFound").verify(head);
      return;
    }
    Expected.of(200, null).verify(head);
    compareLease(head);
    assertThat(head.header("x-ms-meta-a")).isEqualTo(owner);
    assertThat(head.header("Content-Language")).isEqualTo(language);
    assertThat(server.owner("GET", path, "").body()).isEqualTo(content);
    if (!snapshots.isEmpty()) {
      String time = List.copyOf(snapshots.keySet()).get(random.nextInt(snapshots.size()));
      assertThat(server.owner("GET", path + "?snapshot=" + time, "").body())
          .isEqualTo(snapshots.get(time));
    }
  }
}
