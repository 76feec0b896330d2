package io.lazuli.server.backup;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.wire.XmlElement;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Backups in a container of the blob service, on Azure or on any server that speaks its protocol.
 * The blobs have the names of the files of a {@link FolderTarget}, without the folders of two
 * digits. A lease of the mark keeps others away; it ends by itself a minute after its holder died.
 */
final class ContainerTarget implements BackupTarget {
  private static final String MARK = "lazuli-backup";
  private static final byte[] MARK_LINE =
      "lazuli backup format 1\n".getBytes(StandardCharsets.UTF_8);
  private static final String OBJECTS = "objects/";
  private static final String RECORDS = "backups/";
  private static final String ARCHIVES = "archive/";
  private static final String ARCHIVES_LOCK = "archive-lock";
  private static final String RECORD_ENDING = ".json";

  /** Longer contents are uploaded as blocks of this length. */
  private static final int BLOCK_BYTES = 8 << 20;

  private static final int PIECE_BYTES = 256 << 10;
  private static final int LEASE_SECONDS = 60;
  private static final Duration RENEW_PERIOD = Duration.ofSeconds(15);

  /** The shortest lease that the service gives. */
  private static final int ARCHIVES_LEASE_SECONDS = 15;

  private static final long ARCHIVES_LOCK_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
  private static final long ARCHIVES_LOCK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int PAGE_BYTES_MAX = 16 << 20;
  private static final Map<String, String> BLOCK_BLOB = Map.of("x-ms-blob-type", "BlockBlob");

  private final BlobHttp http;
  private final byte[] block = new byte[BLOCK_BYTES];
  private @Nullable String lease;
  private long renewedNanos;

  ContainerTarget(BlobHttp http) {
    this.http = http;
  }

  @Override
  public String place() {
    return http.place();
  }

  @Override
  public void create() throws IOException {
    // A signature for one container may not create it, so a refusal says nothing yet.
    send("PUT", "", "restype=container", null, Map.of(), 201, 409, 403).close();
    if (isMarked()) {
      return;
    }
    List<String> found = new ArrayList<>();
    list("", (name, length) -> found.add(name));
    if (!found.isEmpty()) {
      throw new BackupException(place() + " is not empty and holds no backups");
    }
    send("PUT", MARK, "", MARK_LINE, BLOCK_BLOB, 201).close();
  }

  private boolean isMarked() throws IOException {
    try (InputStream in = open(MARK, MARK)) {
      byte[] found = in.readNBytes(MARK_LINE.length + 1);
      if (!Arrays.equals(found, MARK_LINE)) {
        throw new BackupException(
            place() + " holds backups of a format that this version does not read");
      }
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public void lock() throws IOException {
    if (!isMarked()) {
      throw new BackupException(place() + " holds no backups");
    }
    String id = UUID.randomUUID().toString();
    if (!acquire(MARK, id, LEASE_SECONDS)) {
      throw new BackupException("another command works on the backups in " + place());
    }
    lease = id;
    renewedNanos = System.nanoTime();
  }

  /** Returns false if somebody else has the lease. */
  private boolean acquire(String blob, String id, int seconds) throws IOException {
    Map<String, String> headers =
        Map.of(
            "x-ms-lease-action",
            "acquire",
            "x-ms-lease-duration",
            String.valueOf(seconds),
            "x-ms-proposed-lease-id",
            id);
    HttpResponse<InputStream> answer = http.send("PUT", blob, "comp=lease", new byte[0], headers);
    answer.body().close();
    if (answer.statusCode() == 404 && blob.equals(ARCHIVES_LOCK)) {
      makeArchivesLock();
      return false;
    }
    require(answer, "PUT", 201, 409);
    return answer.statusCode() == 201;
  }

  /** Keeps the lease. Throws if it was lost, because somebody else may work on the target. */
  private void keepLease(boolean now) throws IOException {
    if (lease != null && (now || System.nanoTime() - renewedNanos > RENEW_PERIOD.toNanos())) {
      leaseAction(MARK, String.valueOf(lease), "renew");
      renewedNanos = System.nanoTime();
    }
  }

  private void leaseAction(String blob, String id, String action) throws IOException {
    Map<String, String> headers = Map.of("x-ms-lease-action", action, "x-ms-lease-id", id);
    send("PUT", blob, "comp=lease", new byte[0], headers, 200).close();
  }

  @Override
  public List<String> ids() throws IOException {
    if (!isMarked()) {
      throw new BackupException(place() + " holds no backups");
    }
    List<String> ids = new ArrayList<>();
    list(
        RECORDS,
        (name, length) -> {
          if (name.endsWith(RECORD_ENDING)) {
            ids.add(name.substring(0, name.length() - RECORD_ENDING.length()));
          }
        });
    return ids.stream().sorted().toList();
  }

  @Override
  public BackupRecord record(String id) throws IOException {
    try (InputStream in = open(RECORDS + id + RECORD_ENDING, id)) {
      return BackupRecord.decode(id, in.readNBytes(PIECE_BYTES));
    } catch (FileNotFoundException e) {
      throw new BackupException("there is no backup " + id + " in " + place(), e);
    }
  }

  @Override
  public void commit(BackupRecord record) throws IOException {
    keepLease(true);
    String name = RECORDS + record.id() + RECORD_ENDING;
    send("PUT", name, "", record.encode(), BLOCK_BLOB, 201).close();
  }

  @Override
  public void forget(String id) throws IOException {
    keepLease(true);
    send("DELETE", RECORDS + id + RECORD_ENDING, "", null, Map.of(), 202, 404).close();
  }

  @Override
  public String put(Source source, long length, Meter meter) throws IOException {
    String name = length <= BLOCK_BYTES ? readBlock(source, length) : digest(source, length, meter);
    keepLease(false);
    if (has(name)) {
      meter.moved(length);
      return name;
    }
    if (length <= BLOCK_BYTES) {
      byte[] content = Arrays.copyOf(block, (int) length);
      send("PUT", OBJECTS + name, "", content, BLOCK_BLOB, 201).close();
      meter.moved(length);
    } else {
      upload(source, name, meter);
    }
    meter.added(length);
    return name;
  }

  private String readBlock(Source source, long length) throws IOException {
    try (ReadableByteChannel in = source.open()) {
      requireLength(fill(in), length);
    }
    MessageDigest digest = Sha256.begin();
    digest.update(block, 0, (int) length);
    return Sha256.name(digest);
  }

  private String digest(Source source, long length, Meter meter) throws IOException {
    MessageDigest digest = Sha256.begin();
    long read = 0;
    try (ReadableByteChannel in = source.open()) {
      for (int bytes = fill(in); bytes > 0; bytes = fill(in)) {
        digest.update(block, 0, bytes);
        read += bytes;
        meter.pace(bytes);
        keepLease(false);
      }
    }
    requireLength(read, length);
    return Sha256.name(digest);
  }

  private static void requireLength(long read, long length) throws IOException {
    if (read != length) {
      throw new IOException("a file has " + read + " bytes instead of " + length);
    }
  }

  /** Reads the next block. Returns its length, which is shorter at the end. */
  private int fill(ReadableByteChannel in) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(block);
    while (buffer.hasRemaining() && in.read(buffer) >= 0) {
      // The channel may give less than is asked for.
    }
    return buffer.position();
  }

  private void upload(Source source, String name, Meter meter) throws IOException {
    StringBuilder blocks =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    int number = 0;
    try (ReadableByteChannel in = source.open()) {
      for (int bytes = fill(in); bytes > 0; bytes = fill(in)) {
        byte[] id = "%08d".formatted(number++).getBytes(StandardCharsets.UTF_8);
        String text = Base64.getEncoder().encodeToString(id);
        String parameters = "comp=block&blockid=" + text.replace("=", "%3D");
        send("PUT", OBJECTS + name, parameters, Arrays.copyOf(block, bytes), Map.of(), 201).close();
        blocks.append("<Latest>").append(text).append("</Latest>");
        meter.moved(bytes);
        keepLease(false);
      }
    }
    byte[] list = blocks.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
    send("PUT", OBJECTS + name, "comp=blocklist", list, Map.of(), 201).close();
  }

  private boolean has(String sha256) throws IOException {
    HttpResponse<InputStream> answer = http.send("HEAD", OBJECTS + sha256, "", null, Map.of());
    answer.body().close();
    require(answer, "HEAD", 200, 404);
    return answer.statusCode() == 200;
  }

  @Override
  public boolean has(String sha256, long length) throws IOException {
    return has(sha256);
  }

  @Override
  public void openArchive(String store) throws IOException {
    if (!isMarked()) {
      throw new BackupException(place() + " holds no backups");
    }
    makeArchivesLock();
  }

  private void makeArchivesLock() throws IOException {
    Map<String, String> ifAbsent = Map.of("x-ms-blob-type", "BlockBlob", "If-None-Match", "*");
    send("PUT", ARCHIVES_LOCK, "", new byte[0], ifAbsent, 201, 409, 412).close();
  }

  @Override
  public Closeable lockArchives() throws IOException {
    String id = UUID.randomUUID().toString();
    long begun = System.nanoTime();
    while (!acquire(ARCHIVES_LOCK, id, ARCHIVES_LEASE_SECONDS)) {
      if (System.nanoTime() - begun > ARCHIVES_LOCK_NANOS_MAX) {
        throw new BackupException("another command works on the archive in " + place());
      }
      LockSupport.parkNanos(ARCHIVES_LOCK_PAUSE_NANOS);
    }
    return () -> leaseAction(ARCHIVES_LOCK, id, "release");
  }

  @Override
  public List<String> archived() throws IOException {
    List<String> names = new ArrayList<>();
    list(ARCHIVES, (name, length) -> names.add(name));
    return names.stream().sorted().toList();
  }

  @Override
  public InputStream openArchived(String name) throws IOException {
    try {
      return open(ARCHIVES + name, name);
    } catch (FileNotFoundException e) {
      throw new BackupException("the archive in " + place() + " has lost " + name, e);
    }
  }

  @Override
  public void putArchived(String name, byte[] content) throws IOException {
    send("PUT", ARCHIVES + name, "", content, BLOCK_BLOB, 201).close();
  }

  @Override
  public void deleteArchived(String name) throws IOException {
    keepLease(false);
    send("DELETE", ARCHIVES + name, "", null, Map.of(), 202, 404).close();
  }

  @Override
  public boolean stillHas(String sha256, long length) {
    return true;
  }

  @Override
  public InputStream open(String sha256) throws IOException {
    return open(OBJECTS + sha256, sha256);
  }

  private InputStream open(String blob, String what) throws IOException {
    HttpResponse<InputStream> answer = http.send("GET", blob, "", null, Map.of());
    if (answer.statusCode() == 404) {
      answer.body().close();
      throw new FileNotFoundException(what);
    }
    require(answer, "GET", 200);
    return answer.body();
  }

  @Override
  public void forEachObject(ObjectVisitor visitor) throws IOException {
    list(
        OBJECTS,
        (name, length) -> {
          if (Sha256.isName(name)) {
            visitor.visit(name, length);
          }
        });
  }

  @Override
  public void delete(String sha256) throws IOException {
    keepLease(false);
    send("DELETE", OBJECTS + sha256, "", null, Map.of(), 202, 404).close();
  }

  /** Shows the blobs with a prefix, by the rest of their names. */
  private void list(String prefix, ObjectVisitor visitor) throws IOException {
    String marker = "";
    do {
      String parameters =
          "restype=container&comp=list&prefix="
              + prefix.replace("/", "%2F")
              + (marker.isEmpty() ? "" : "&marker=" + encoded(marker));
      XmlElement page;
      try (InputStream in = send("GET", "", parameters, null, Map.of(), 200)) {
        page = XmlElement.parse(in.readNBytes(PAGE_BYTES_MAX), PAGE_BYTES_MAX);
      } catch (ServiceException e) {
        throw new IOException("the list of " + place() + " cannot be read", e);
      }
      XmlElement blobs = page.child("Blobs");
      for (XmlElement blob : blobs == null ? List.<XmlElement>of() : blobs.children()) {
        XmlElement properties = blob.child("Properties");
        String length = properties == null ? null : properties.childText("Content-Length");
        String name = blob.childText("Name");
        if (name != null && name.startsWith(prefix)) {
          visitor.visit(
              name.substring(prefix.length()), length == null ? 0 : Long.parseLong(length));
        }
      }
      String next = page.childText("NextMarker");
      marker = next == null ? "" : next;
    } while (!marker.isEmpty());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private InputStream send(
      String method,
      String blob,
      String parameters,
      byte @Nullable [] body,
      Map<String, String> headers,
      Integer... expected)
      throws IOException {
    HttpResponse<InputStream> answer = http.send(method, blob, parameters, body, headers);
    require(answer, method, expected);
    return answer.body();
  }

  private void require(HttpResponse<InputStream> answer, String method, Integer... expected)
      throws IOException {
    if (!Set.of(expected).contains(answer.statusCode())) {
      answer.body().close();
      String code = answer.headers().firstValue("x-ms-error-code").orElse("");
      throw new IOException(
          "%s answered %d %s to %s".formatted(place(), answer.statusCode(), code, method));
    }
  }

  /** Ends the lease. If that fails, it ends by itself. */
  @Override
  public void close() throws IOException {
    if (lease != null) {
      try {
        leaseAction(MARK, String.valueOf(lease), "release");
      } finally {
        lease = null;
      }
    }
  }
}
