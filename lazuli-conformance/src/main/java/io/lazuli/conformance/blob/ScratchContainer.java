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
 * A new container of the account under test with the few calls that most cases need. At the end of
 * the run it is deleted again where the service is not ours to throw away.
 */
public record ScratchContainer(WireClient wire, String name) {

  /** Holds the one client of a run, made when the first case needs it. */
  private static final class Shared {
    static final WireClient CLIENT = new WireClient(AccountUnderTest.get(StorageService.BLOB));
  }

  /** The raw client for the blobs of the account under test. */
  public static WireClient sharedWire() {
    return Shared.CLIENT;
  }

  public static ScratchContainer create() {
    return named(freshName()).created();
  }

  /** A handle on a container that the case creates itself, or never; the name must be fresh. */
  public static ScratchContainer named(String name) {
    ScratchContainer container = new ScratchContainer(sharedWire(), name);
    CleanUp.later(container::drop);
    return container;
  }

  public static String freshName() {
    return "c" + UUID.randomUUID().toString().replace("-", "");
  }

  /** Creates it, which must succeed. */
  public ScratchContainer created() {
    expect(on("PUT", "").send()).status(201);
    return this;
  }

  public String path() {
    return "/" + name;
  }

  /** The path of a blob, its slashes as they are and all else percent-encoded. */
  public String path(String blob) {
    return path() + "/" + Keys.encode(blob).replace("%2F", "/");
  }

  /** The address of a blob as a client writes it. */
  public String url(String blob) {
    return wire.account().base() + path(blob);
  }

  /** A request for the container itself; the query may be empty. */
  public WireRequest on(String verb, String query) {
    String more = query.isEmpty() ? "" : "&" + query;
    return sized(verb, wire.request(verb, path() + "?restype=container" + more));
  }

  /** A request for a blob; the query may be empty. */
  public WireRequest on(String verb, String blob, String query) {
    return sized(verb, wire.request(verb, path(blob) + (query.isEmpty() ? "" : "?" + query)));
  }

  /** What clients send when there is no body; the live service wants it. */
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

  /** Put Blob of a block blob, with no header that need not be there. */
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

  /** Put Block; the id is given before Base64. */
  public WireRequest block(String blob, String id, String content) {
    return on("PUT", blob, "comp=block&blockid=" + Keys.encode(blockId(id)))
        .body(content)
        .without("Content-Type");
  }

  public static String blockId(String id) {
    return Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.UTF_8));
  }

  /** Put Block List of what the elements say, such as {@code Latest:1}, ids before Base64. */
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

  /** A lease operation on a blob. */
  public WireRequest lease(String blob, String action) {
    return on("PUT", blob, "comp=lease").header("x-ms-lease-action", action);
  }

  /** Takes a lease that does not end, which must succeed. */
  public void leased(String blob, String id) {
    expect(
            lease(blob, "acquire")
                .header("x-ms-lease-duration", "-1")
                .header("x-ms-proposed-lease-id", id)
                .send())
        .status(201);
  }

  /** Copies from an address, for which the request is signed. */
  public WireRequest copy(String blob, String source) {
    return on("PUT", blob, "").header("x-ms-copy-source", source);
  }

  /** Takes a snapshot, which must succeed; its time. */
  public String snapshot(String blob) {
    WireAnswer answer = on("PUT", blob, "comp=snapshot").send();
    expect(answer).status(201).hasHeader("x-ms-snapshot");
    return answer.header("x-ms-snapshot").orElse("");
  }

  /** The content of a blob that must be there. */
  public String content(String blob) {
    WireAnswer answer = get(blob).send();
    expect(answer).status(200);
    return answer.text();
  }

  /** A header of the properties of a blob that must be there; empty if it is not among them. */
  public String property(String blob, String header) {
    WireAnswer answer = head(blob).send();
    expect(answer).status(200);
    return answer.header(header).orElse("");
  }

  /** The listing, whose query may be empty. */
  public WireRequest list(String query) {
    return on("GET", "comp=list" + (query.isEmpty() ? "" : "&" + query));
  }

  /** A shared access signature for the container, not signed yet. */
  public SharedAccess access(String permissions) {
    return SharedAccess.ofContainer(wire.account(), name).permissions(permissions);
  }

  /** The same for one blob. */
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
