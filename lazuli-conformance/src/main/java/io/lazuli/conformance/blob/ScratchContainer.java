package io.lazuli.conformance.blob;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.CleanUp;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.TranscriptPlayer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/**
 * A new container in the account under test, with the calls that most cases need. If the account
 * outlives the run, the container is deleted at the end.
 */
public record ScratchContainer(WireClient wire, String name) {

  /** Holds the client that all cases share. It is created when the first case needs it. */
  private static final class Shared {
    static final WireClient CLIENT = new WireClient(AccountUnderTest.get(StorageService.BLOB));
  }

  /** Returns the raw client for the blobs of the account under test. */
  public static WireClient sharedWire() {
    return Shared.CLIENT;
  }

  public static ScratchContainer create() {
    return named(freshName()).created();
  }

  /**
   * Returns a handle to a container that the case creates itself or never creates. The name must be
   * new.
   */
  public static ScratchContainer named(String name) {
    ScratchContainer container = new ScratchContainer(sharedWire(), name);
    CleanUp.later(container::drop);
    return container;
  }

  public static String freshName() {
    return "c" + UUID.randomUUID().toString().replace("-", "");
  }

  /** Creates the container, which must succeed. */
  public ScratchContainer created() {
    expect(on("PUT", "").send()).status(201);
    return this;
  }

  public String path() {
    return "/" + name;
  }

  /** Returns the path of a blob. Slashes stay as they are, everything else is percent-encoded. */
  public String path(String blob) {
    return path() + "/" + Keys.encode(blob).replace("%2F", "/");
  }

  /** Returns the URL of a blob. */
  public String url(String blob) {
    return wire.account().base() + path(blob);
  }

  /** Creates a request for the container itself. The query may be empty. */
  public WireRequest on(String verb, String query) {
    String more = query.isEmpty() ? "" : "&" + query;
    return sized(verb, wire.request(verb, path() + "?restype=container" + more));
  }

  /** Creates a request for a blob. The query may be empty. */
  public WireRequest on(String verb, String blob, String query) {
    return sized(verb, wire.request(verb, path(blob) + (query.isEmpty() ? "" : "?" + query)));
  }

  /** Adds the Content-Length that clients send without a body. Azure requires it. */
  private static WireRequest sized(String verb, WireRequest request) {
    return verb.equals("PUT") || verb.equals("POST")
        ? request.header("Content-Length", "0")
        : request;
  }

  public WireRequest get(String blob) {
    return on("GET", blob, "");
  }

  public WireRequest head(String blob) {
    return on("HEAD", blob, "");
  }

  public WireRequest delete(String blob) {
    return on("DELETE", blob, "");
  }

  /** Creates a Put Blob of a block blob, with only the required headers. */
  public WireRequest put(String blob, byte[] content) {
    return on("PUT", blob, "")
        .header("x-ms-blob-type", "BlockBlob")
        .body(content)
        .without("Content-Type");
  }

  public WireRequest put(String blob, String content) {
    return put(blob, content.getBytes(StandardCharsets.UTF_8));
  }

  /** Stores a block blob, which must succeed. */
  public WireAnswer stored(String blob, String content) {
    WireAnswer answer = put(blob, content).send();
    expect(answer).status(201);
    return answer;
  }

  /** Creates an append blob, which must succeed. */
  public WireAnswer storedLog(String blob) {
    WireAnswer answer = putLog(blob).send();
    expect(answer).status(201);
    return answer;
  }

  public WireRequest putLog(String blob) {
    return on("PUT", blob, "").header("x-ms-blob-type", "AppendBlob");
  }

  public WireRequest append(String blob, String content) {
    return on("PUT", blob, "comp=appendblock").body(content).without("Content-Type");
  }

  /** Creates a Put Block. The id is plain text, which this method encodes in Base64. */
  public WireRequest block(String blob, String id, String content) {
    return on("PUT", blob, "comp=block&blockid=" + Keys.encode(blockId(id)))
        .body(content)
        .without("Content-Type");
  }

  public static String blockId(String id) {
    return Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Creates a Put Block List. The entries name the element and the id, such as {@code Latest:1};
   * the ids are plain text, which this method encodes in Base64.
   */
  public WireRequest commit(String blob, String... entries) {
    StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    for (String entry : entries) {
      int colon = entry.indexOf(':');
      String kind = entry.substring(0, colon);
      String id = blockId(entry.substring(colon + 1));
      list.append("<%s>%s</%s>".formatted(kind, id, kind));
    }
    return on("PUT", blob, "comp=blocklist").body(list.append("</BlockList>").toString());
  }

  /** Creates a lease operation on a blob. */
  public WireRequest lease(String blob, String action) {
    return on("PUT", blob, "comp=lease").header("x-ms-lease-action", action);
  }

  /** Takes an infinite lease, which must succeed. */
  public void leased(String blob, String id) {
    expect(
            lease(blob, "acquire")
                .header("x-ms-lease-duration", "-1")
                .header("x-ms-proposed-lease-id", id)
                .send())
        .status(201);
  }

  /** Creates a copy from a URL. */
  public WireRequest copy(String blob, String source) {
    return on("PUT", blob, "").header("x-ms-copy-source", source);
  }

  /** Takes a snapshot, which must succeed, and returns its time. */
  public String snapshot(String blob) {
    WireAnswer answer = on("PUT", blob, "comp=snapshot").send();
    expect(answer).status(201).hasHeader("x-ms-snapshot");
    return answer.header("x-ms-snapshot").orElse("");
  }

  /** Returns the content of a blob that must exist. */
  public String content(String blob) {
    WireAnswer answer = get(blob).send();
    expect(answer).status(200);
    return answer.text();
  }

  /**
   * Returns a header of Get Blob Properties, or an empty string if it is absent. The blob must
   * exist.
   */
  public String property(String blob, String header) {
    WireAnswer answer = head(blob).send();
    expect(answer).status(200);
    return answer.header(header).orElse("");
  }

  /** Creates a List Blobs. The query may be empty. */
  public WireRequest list(String query) {
    return on("GET", "comp=list" + (query.isEmpty() ? "" : "&" + query));
  }

  /** Returns a shared access signature for the container that is not signed yet. */
  public SharedAccess access(String permissions) {
    return SharedAccess.ofContainer(wire.account(), name).permissions(permissions);
  }

  /** Returns a shared access signature for one blob that is not signed yet. */
  public SharedAccess access(String blob, String permissions) {
    return SharedAccess.ofBlob(wire.account(), name, blob).permissions(permissions);
  }

  /** Returns a player of transcripts that name this container {@code {container}}. */
  public TranscriptPlayer transcriptPlayer() {
    return new TranscriptPlayer(wire, "container", name);
  }

  private void drop() {
    on("DELETE", "").send();
  }
}
