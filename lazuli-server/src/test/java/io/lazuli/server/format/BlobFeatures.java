package io.lazuli.server.format;

import static io.lazuli.server.format.Content.VERSION;
import static io.lazuli.server.format.Content.done;
import static io.lazuli.server.format.Content.shown;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Blobs with the records that format 2 added: tags in the index, soft-deleted states, versions,
 * pages, and the archive. The deleted states can be restored for a year, so the folder is read with
 * the clock of {@link DatedRocksDbProvider}.
 */
final class BlobFeatures implements AutoCloseable {
  static final String CONTAINER = "/kept";

  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
  private static final String LARGE = "fedcba987654321\n".repeat(5_000);
  private static final String LIST = CONTAINER + "?restype=container&comp=list&include=";
  private static final Pattern STATE =
      Pattern.compile("<Name>([^<]*)</Name>(?:<(Snapshot|VersionId)>([^<]*)<)?");

  private final WireServer blobs;

  BlobFeatures(LazuliServer server) {
    blobs = WireServer.onBlobs(server);
  }

  /** Writes blobs to an account without versions. */
  void writeFirst() {
    done(blob("PUT", CONTAINER + "?restype=container", ""));
    writeTagged();
    writePages();
    done(blob("PUT", at("archived"), "cold", BLOCK_BLOB));
    done(blob("PUT", at("archived?comp=tier"), "", "x-ms-access-tier: Archive"));
    done(
        blob(
            "PUT",
            "/?restype=service&comp=properties",
            "<StorageServiceProperties><DeleteRetentionPolicy><Enabled>true</Enabled>"
                + "<Days>365</Days></DeleteRetentionPolicy></StorageServiceProperties>"));
    writeDeleted();
  }

  /** Writes blobs to the same account, which has versions now. */
  void writeMore() {
    done(blob("PUT", at("versions"), "first", BLOCK_BLOB, "x-ms-tags: colour=red"));
    done(blob("PUT", at("versions"), LARGE, BLOCK_BLOB, "x-ms-tags: colour=blue"));
    done(blob("PUT", at("versions?comp=metadata"), "", "x-ms-meta-third: 3"));
    done(blob("PUT", at("versions?comp=snapshot"), ""));
    done(blob("PUT", at("versions"), "last", BLOCK_BLOB, "x-ms-tags: colour=green"));
    done(blob("DELETE", at("versions?versionid=" + versions("versions").get(0)), ""));
    done(blob("PUT", at("was-plain"), "with a version", BLOCK_BLOB));
    done(blob("PUT", at("only-versions"), "previous", BLOCK_BLOB));
    done(blob("DELETE", at("only-versions"), ""));
    done(blob("PUT", at("pages?comp=metadata"), "", "x-ms-meta-second: 2"));
    putPages("bytes=1024-1535", "n".repeat(512));
  }

  /** Changes the folder in a way that {@link #read} does not show. */
  void writeAndRemove() {
    done(blob("PUT", "/other?restype=container", ""));
    done(blob("PUT", "/other/tagged", "1", BLOCK_BLOB, "x-ms-tags: colour=blue"));
    done(blob("PUT", "/other/tagged", "2", BLOCK_BLOB, "x-ms-tags: colour=red"));
    done(blob("DELETE", "/other/tagged", ""));
    done(blob("DELETE", "/other?restype=container", ""));
  }

  /** Reads everything back, as text with one part per request. */
  String read() {
    StringJoiner text = new StringJoiner("\n");
    Answer list = done(blob("GET", LIST + "deleted,snapshots,versions,tags,metadata", ""));
    text.add("=== blob LIST " + CONTAINER);
    text.add(list.body().replace("</Blob>", "</Blob>\n"));
    List<String> paths = new ArrayList<>();
    for (MatchResult state : states(list.body())) {
      String query = state.group(3) == null ? "" : parameter(state.group(2)) + state.group(3);
      paths.add(at(state.group(1) + (query.isEmpty() ? "" : "?" + query)));
    }
    for (String path : paths) {
      text.add(shown("blob GET", path, blob("GET", path, "")));
    }
    for (String tags : List.of("colour='blue'", "size>'1'", "colour='red'", "colour>='a'")) {
      String path = "/?comp=blobs&where=" + WireServer.encoded(tags);
      text.add(shown("blob GET", path, blob("GET", path, "")));
    }
    String snapshot = snapshot("pages");
    for (String query : List.of("", "&snapshot=" + snapshot, "&prevsnapshot=" + snapshot)) {
      String path = at("pages?comp=pagelist" + query);
      text.add(shown("blob GET", path, blob("GET", path, "")));
    }
    return text.toString();
  }

  /** Returns the names of the blobs that a search finds. */
  List<String> found(String where, String more) {
    String path = "/?comp=blobs&where=" + WireServer.encoded(where) + more;
    return states(done(blob("GET", path, "")).body()).stream()
        .map(state -> state.group(1))
        .toList();
  }

  @Override
  public void close() throws IOException {
    blobs.close();
  }

  private void writeTagged() {
    done(blob("PUT", at("blue"), "1", BLOCK_BLOB, "x-ms-tags: colour=blue&size=1"));
    done(blob("PUT", at("red"), "1", BLOCK_BLOB, "x-ms-tags: colour=red&size=2"));
    done(blob("PUT", at("retagged"), "1", BLOCK_BLOB, "x-ms-tags: colour=blue"));
    String tags =
        "<Tags><TagSet><Tag><Key>colour</Key><Value>grey blue</Value></Tag></TagSet></Tags>";
    done(blob("PUT", at("retagged?comp=tags"), tags));
    done(blob("PUT", at("was-plain"), "written before the switch", BLOCK_BLOB));
  }

  private void writePages() {
    done(
        blob(
            "PUT",
            at("pages"),
            "",
            "x-ms-blob-type: PageBlob",
            "x-ms-blob-content-length: 1048576",
            "x-ms-blob-sequence-number: 7",
            "x-ms-tags: colour=blue"));
    putPages("bytes=0-511", "a".repeat(512));
    putPages("bytes=131072-262143", "b".repeat(131_072));
    done(blob("PUT", at("pages?comp=snapshot"), ""));
    putPages("bytes=512-1023", "c".repeat(512));
    done(
        blob(
            "PUT",
            at("pages?comp=page"),
            "",
            "x-ms-page-write: clear",
            "x-ms-range: bytes=131072-196607"));
  }

  private void writeDeleted() {
    done(blob("PUT", at("deleted"), LARGE, BLOCK_BLOB, "x-ms-tags: colour=red"));
    done(blob("DELETE", at("deleted"), ""));
    done(blob("PUT", at("replaced"), "old", BLOCK_BLOB));
    done(blob("PUT", at("replaced"), "new", BLOCK_BLOB));
    done(blob("PUT", at("with-snapshot"), "1", BLOCK_BLOB));
    done(blob("PUT", at("with-snapshot?comp=snapshot"), ""));
    done(blob("DELETE", at("with-snapshot"), "", "x-ms-delete-snapshots: only"));
    done(blob("PUT", at("restored"), "1", BLOCK_BLOB, "x-ms-tags: colour=blue"));
    done(blob("DELETE", at("restored"), ""));
    done(blob("PUT", at("restored?comp=undelete"), ""));
  }

  private void putPages(String range, String content) {
    done(
        blob(
            "PUT",
            at("pages?comp=page"),
            content,
            "x-ms-page-write: update",
            "x-ms-range: " + range));
  }

  private List<String> versions(String name) {
    return named(name, "VersionId", "versions");
  }

  private String snapshot(String name) {
    return named(name, "Snapshot", "snapshots").get(0);
  }

  private List<String> named(String name, String element, String include) {
    return states(done(blob("GET", LIST + include, "")).body()).stream()
        .filter(state -> state.group(1).equals(name) && element.equals(state.group(2)))
        .map(state -> state.group(3))
        .toList();
  }

  private static List<MatchResult> states(String list) {
    return STATE.matcher(list).results().toList();
  }

  private static String parameter(String element) {
    return element.equals("Snapshot") ? "snapshot=" : "versionid=";
  }

  private static String at(String name) {
    return CONTAINER + "/" + name;
  }

  private Answer blob(String method, String path, String body, String... more) {
    List<String> headers = new ArrayList<>(List.of(VERSION));
    headers.addAll(List.of(more));
    return blobs.owner(method, path, body, headers.toArray(String[]::new));
  }
}
