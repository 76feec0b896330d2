package io.lazuli.server.blob.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The writers of the single features of blobs. */
final class FeatureWriters {
  private FeatureWriters() {}

  /** Puts a blob with tags, and replaces its tags. Searches find the blob by its last tags only. */
  static final class Tags extends FeatureWriter {
    private final String key;

    Tags(int number) {
      super("tags" + number, 20);
      this.key = "step" + number;
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      String path = blob(step);
      if (isFirst(step) || step % 3 == 0) {
        String tags = "x-ms-tags: all=1&" + key + "=" + step;
        done(201, connection, "PUT", path, content(step), BLOCK_BLOB, tags);
        return;
      }
      String tag = "<Tag><Key>all</Key><Value>1</Value></Tag><Tag><Key>" + key + "</Key><Value>";
      String tags = "<Tags><TagSet>" + tag + step + "</Value></Tag></TagSet></Tags>";
      done(204, connection, "PUT", path + "?comp=tags", text(tags));
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      Answer tags = send(connection, "GET", blob(step) + "?comp=tags", NOTHING);
      if (!tags.body().contains("<Value>" + step + "</Value>")) {
        return false;
      }
      for (int each = first(step); each <= step + 1; each++) {
        String where = "/?comp=blobs&where=" + WireServer.encoded(key + "='" + each + "'");
        boolean found = send(connection, "GET", where, NOTHING).body().contains("<Name>");
        assertThat(found)
            .as("found by %s=%s after step %s", key, each, step)
            .isEqualTo(each == step);
      }
      return true;
    }
  }

  /** Puts, deletes and restores a blob that has soft-deleted snapshots of its earlier contents. */
  static final class SoftDelete extends FeatureWriter {
    SoftDelete(int number) {
      super("deleted" + number, 30);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      if (step == 1) {
        String on =
            "<StorageServiceProperties><DeleteRetentionPolicy><Enabled>true</Enabled>"
                + "<Days>7</Days></DeleteRetentionPolicy></StorageServiceProperties>";
        done(202, connection, "PUT", "/?restype=service&comp=properties", text(on));
      }
      switch (step % 3) {
        case 1 -> done(201, connection, "PUT", blob(step), content(step), BLOCK_BLOB);
        case 2 ->
            done(202, connection, "DELETE", blob(step), NOTHING, "x-ms-delete-snapshots: include");
        default -> done(200, connection, "PUT", blob(step) + "?comp=undelete", NOTHING);
      }
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      int puts = (step - first(step)) / 3 + 1;
      int deleted =
          switch (step % 3) {
            case 1 -> puts == 1 ? 0 : 1;
            case 2 -> puts;
            default -> 0;
          };
      List<String> states = list(connection, step, "deleted,snapshots");
      boolean counted =
          states.size() == puts
              && states.stream().filter(state -> state.contains("<Deleted>")).count() == deleted;
      if (!counted) {
        return false;
      }
      int put = first(step) + 3 * (puts - 1);
      boolean base = step % 3 == 2 || has(connection, blob(step), content(put));
      if (step % 3 == 0) {
        // All snapshots are restored, too.
        for (int i = 0; i < puts - 1; i++) {
          String snapshot = blob(step) + "?snapshot=" + element("Snapshot", states.get(i));
          base &= has(connection, snapshot, content(first(step) + 3 * i));
        }
      }
      return base;
    }
  }

  /** Writes and clears pages, takes snapshots, and resizes. */
  static final class Pages extends FeatureWriter {
    private static final int LENGTH = 1 << 20;
    private static final int PAGE = 512;

    Pages(int number) {
      super("pages" + number, 30);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      String path = blob(step);
      if (isFirst(step)) {
        String length = "x-ms-blob-content-length: " + LENGTH;
        done(201, connection, "PUT", path, NOTHING, "x-ms-blob-type: PageBlob", length);
      }
      if (step % 7 == 0) {
        done(201, connection, "PUT", path + "?comp=snapshot", NOTHING);
      }
      int from = from(step);
      int to = to(step);
      String range = "x-ms-range: bytes=" + from + "-" + (to - 1);
      String pages = path + "?comp=page";
      if (isClear(step)) {
        done(201, connection, "PUT", pages, NOTHING, "x-ms-page-write: clear", range);
      } else {
        byte[] bytes = BlobsUnderTest.bytes(to - from, step);
        done(201, connection, "PUT", pages, bytes, "x-ms-page-write: update", range);
      }
    }

    private static boolean isClear(int step) {
      return step % 5 == 0;
    }

    private static int from(int step) {
      return (int) (step * 7_919L * PAGE % (LENGTH / 2));
    }

    private static int to(int step) {
      return from(step) + PAGE * (1 + step * 31 % 400);
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      byte[] expected = new byte[LENGTH];
      for (int each = first(step); each <= step; each++) {
        int from = from(each);
        byte[] bytes = BlobsUnderTest.bytes(to(each) - from, each);
        if (isClear(each)) {
          Arrays.fill(bytes, (byte) 0);
        }
        System.arraycopy(bytes, 0, expected, from, bytes.length);
      }
      return has(connection, blob(step), expected);
    }
  }

  /** Makes versions: by puts, by new metadata and by a deletion. */
  static final class Versions extends FeatureWriter {
    Versions(int number) {
      super("versions" + number, 24);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      switch (step % 4) {
        case 1, 2 -> done(201, connection, "PUT", blob(step), content(step), BLOCK_BLOB);
        case 3 ->
            done(
                200,
                connection,
                "PUT",
                blob(step) + "?comp=metadata",
                NOTHING,
                "x-ms-meta-step: " + step);
        default -> done(202, connection, "DELETE", blob(step), NOTHING);
      }
    }

    /** Every step but a deletion makes a version; new metadata keep the content. */
    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      List<byte[]> expected = new ArrayList<>();
      for (int each = first(step); each <= step; each++) {
        if (each % 4 != 0) {
          expected.add(content(each % 4 == 3 ? each - 1 : each));
        }
      }
      List<String> states = list(connection, step, "versions");
      boolean current =
          !states.isEmpty()
              && states
                  .get(states.size() - 1)
                  .contains("<IsCurrentVersion>true</IsCurrentVersion>");
      if (states.size() != expected.size() || current != (step % 4 != 0)) {
        return false;
      }
      for (int i = 0; i < expected.size(); i++) {
        String version = blob(step) + "?versionid=" + element("VersionId", states.get(i));
        if (!has(connection, version, expected.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Fills, deletes and restores a container of an account that keeps deleted containers. */
  static final class Containers extends FeatureWriter {
    private static final String CONTAINER = "?restype=container";

    Containers(int number) {
      super("boxes" + number, 15);
    }

    private String container(int step) {
      return "/" + blobName(step);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      String path = container(step);
      switch (step % 3) {
        case 1 -> {
          // A kill may have come between the two requests of the first step.
          send(connection, "PUT", path + CONTAINER, NOTHING);
          done(201, connection, "PUT", path + "/blob", content(step), BLOCK_BLOB);
        }
        case 2 -> done(202, connection, "DELETE", path + CONTAINER, NOTHING);
        default -> {
          String name = "x-ms-deleted-container-name: " + blobName(step);
          String version = element("Version", listed(connection, step).get(0));
          String restored = "x-ms-deleted-container-version: " + version;
          String restore = path + CONTAINER + "&comp=undelete";
          done(201, connection, "PUT", restore, NOTHING, name, restored);
        }
      }
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      List<String> states = listed(connection, step);
      boolean deleted = step % 3 == 2;
      if (states.size() != 1 || states.get(0).contains("<Deleted>true") != deleted) {
        return false;
      }
      String blob = container(step) + "/blob";
      int put = step % 3 == 0 ? step - 2 : step;
      return deleted
          ? send(connection, "GET", blob, NOTHING).status() == 404
          : has(connection, blob, content(put));
    }

    /** Lists the containers with the name of a step's container: live and deleted ones. */
    private List<String> listed(RawConnection connection, int step) throws IOException {
      String path = "/?comp=list&include=deleted&prefix=" + blobName(step);
      String found = send(connection, "GET", path, NOTHING).body();
      return Pattern.compile("<Container>.*?</Container>")
          .matcher(found)
          .results()
          .map(MatchResult::group)
          .filter(each -> each.startsWith("<Container><Name>" + blobName(step) + "<"))
          .toList();
    }
  }

  /** Fills a container, holds its blob, releases it, and deletes the container. */
  static final class Holds extends FeatureWriter {
    private static final String CONTAINER = "?restype=container";

    Holds(int number) {
      super("held" + number, 16);
    }

    private String container(int step) {
      return "/" + blobName(step);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      String path = container(step);
      switch (step % 4) {
        case 1 -> {
          // A kill may have come between the two requests of the first step.
          send(connection, "PUT", path + CONTAINER, NOTHING);
          done(201, connection, "PUT", path + "/blob", content(step), BLOCK_BLOB);
        }
        case 2, 3 -> {
          String hold = "x-ms-legal-hold: " + (step % 4 == 2);
          done(200, connection, "PUT", path + "/blob?comp=legalhold", NOTHING, hold);
        }
        default -> done(202, connection, "DELETE", path + CONTAINER, NOTHING);
      }
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      String path = container(step);
      Answer blob = send(connection, "GET", path + "/blob", NOTHING);
      if (step % 4 == 0 || blob.status() != 200) {
        return step % 4 == 0 && blob.status() == 404;
      }
      boolean held = "true".equals(blob.header("x-ms-legal-hold"));
      if (held) {
        assertThat(send(connection, "DELETE", path + CONTAINER, NOTHING).status()).isEqualTo(409);
      }
      return held == (step % 4 == 2);
    }
  }

  /** Puts blobs, lets them expire in the far future and at once, and takes snapshots of them. */
  static final class Expiries extends FeatureWriter {
    Expiries(int number) {
      super("expiring" + number, 24);
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      String path = blob(step);
      switch (step % 4) {
        case 1 -> done(201, connection, "PUT", path, content(step), BLOCK_BLOB);
        case 2 -> expire(connection, step, "Absolute", date(step));
        case 3 -> done(201, connection, "PUT", path + "?comp=snapshot", NOTHING);
        default -> expire(connection, step, "RelativeToNow", "1");
      }
    }

    private void expire(RawConnection connection, int step, String option, String time)
        throws IOException {
      done(
          200,
          connection,
          "PUT",
          blob(step) + "?comp=expiry",
          NOTHING,
          "x-ms-expiry-option: " + option,
          "x-ms-expiry-time: " + time);
    }

    private static String date(int step) {
      Instant time = Instant.parse("2100-01-01T00:00:00Z").plusSeconds(step);
      return HttpDate.format(time);
    }

    /** A step that is too early leaves another number of states or another date. */
    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      List<String> states = list(connection, step, "snapshots,deleted");
      int expected =
          switch (step % 4) {
            case 1, 2 -> 1;
            case 3 -> 2;
            default -> 0;
          };
      if (states.size() != expected) {
        return false;
      } else if (expected == 0) {
        return send(connection, "GET", blob(step), NOTHING).status() == 404;
      }
      int put = step - (step % 4 - 1);
      String date = step % 4 == 1 ? "" : date(put + 1);
      return element("Expiry-Time", states.get(expected - 1)).equals(date)
          && has(connection, blob(step), content(put));
    }
  }

  /**
   * Begins copies from another server, and waits for their ends. A copy that was acknowledged
   * succeeds, also if the server was killed while it was pending.
   */
  static final class PendingCopy extends FeatureWriter {
    private static final long END_NANOS_MAX = Duration.ofMinutes(1).toNanos();

    private final String source;

    /**
     * @param source the URL of the contents, without the number of the step
     */
    PendingCopy(int number, String source) {
      super("copy" + number, 20);
      this.source = source;
    }

    @Override
    void write(RawConnection connection, int step) throws IOException {
      ended(connection, step);
      String url = "x-ms-copy-source: " + source + step;
      done(202, connection, "PUT", blob(step), NOTHING, url);
    }

    @Override
    boolean isAfter(RawConnection connection, int step) throws IOException {
      Answer ended = ended(connection, step);
      return (source + step).equals(ended.header("x-ms-copy-source"))
          && "success".equals(ended.header("x-ms-copy-status"))
          && has(connection, blob(step), content(step));
    }

    /** Waits until no copy to a step's blob is pending, and returns its properties. */
    private Answer ended(RawConnection connection, int step) throws IOException {
      long end = System.nanoTime() + END_NANOS_MAX;
      Answer head = head(connection, step);
      while ("pending".equals(head.header("x-ms-copy-status"))) {
        assertThat(System.nanoTime()).as("a copy is still pending").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        head = head(connection, step);
      }
      return head;
    }

    private Answer head(RawConnection connection, int step) throws IOException {
      connection.send(
          KillWriter.head(new WireServer.Signer(false), "HEAD", blob(step), 0)
              .replace("Content-Length: 0\r\n", ""));
      return connection.answerWithoutBody();
    }

    /** Returns the number of the step at the end of a request's path. */
    static int step(String head) {
      String path =
          head.substring(0, head.indexOf('\r')).toLowerCase(Locale.ROOT).split(" ", -1)[1];
      return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }
  }
}
