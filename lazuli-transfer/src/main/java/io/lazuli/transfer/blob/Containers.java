package io.lazuli.transfer.blob;

import io.lazuli.transfer.http.Call;
import io.lazuli.transfer.http.Percent;
import io.lazuli.transfer.http.ServiceFailure;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Requests to a container and its blobs. Safe for use by several threads. All methods block. */
public final class Containers {
  private static final String META = "x-ms-meta-";
  private static final long DOWNLOAD_BYTES = 16L << 20;
  private static final long BLOCK_BYTES_MIN = 8L << 20;
  private static final long BLOCKS_MAX = 50_000;
  private static final int APPEND_BYTES = 4 << 20;

  private final StorageClient client;
  private final String path;

  public Containers(StorageClient client, String container) {
    this.client = client;
    this.path = "/" + Percent.encode(container).replace("%24", "$");
  }

  @Override
  public String toString() {
    return client.endpoint() + path;
  }

  private Call container(String method) {
    return new Call(method, path).query("restype", "container");
  }

  private Call blob(String method, String name) {
    return new Call(method, path + "/" + Percent.encodePath(name));
  }

  /** Returns the metadata, and the public access as {@code publicAccess} if there is one. */
  Map<String, Map<String, String>> describe() {
    return client.call(
        container("GET"),
        answer -> {
          Map<String, String> metadata = answer.metadata();
          String access = answer.header("x-ms-blob-public-access");
          Map<String, String> properties =
              access == null ? Map.of() : Map.of("publicAccess", access);
          return Map.of("metadata", metadata, "properties", properties);
        });
  }

  /** Creates the container if it does not exist. */
  void create(Map<String, String> metadata, Map<String, String> properties) {
    Call call = container("PUT");
    metadata.forEach((name, value) -> call.header(META + name, value));
    String access = properties.get("publicAccess");
    if (access != null) {
      call.header("x-ms-blob-public-access", access);
    }
    try {
      client.call(call);
    } catch (ServiceFailure e) {
      boolean forbidden = e.status() == 403 && client.endpoint().key() == null;
      if (!e.code().equals("ContainerAlreadyExists") && !forbidden) {
        throw e;
      }
    }
  }

  BlobList list(String prefix, String marker, int max) {
    Call call =
        container("GET")
            .query("comp", "list")
            .query("include", "metadata,tags")
            .query("maxresults", Integer.toString(max));
    if (!prefix.isEmpty()) {
      call.query("prefix", prefix);
    }
    if (!marker.isEmpty()) {
      call.query("marker", marker);
    }
    return client.call(call, answer -> BlobList.read(answer.body()));
  }

  /** Writes the content of a blob to a file. A blob that changes in between is a failure. */
  void download(Blob blob, Path file) throws IOException {
    try (FileChannel out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      for (long at = 0; at < blob.bytes(); at += DOWNLOAD_BYTES) {
        long start = at;
        long end = Math.min(blob.bytes(), at + DOWNLOAD_BYTES);
        client.call(
            blob("GET", blob.name())
                .header("x-ms-range", "bytes=" + start + "-" + (end - 1))
                .header("if-match", blob.etag()),
            answer -> {
              copy(answer.body(), out, start, end);
              return true;
            });
      }
      out.force(false);
    }
  }

  private static void copy(InputStream in, FileChannel out, long start, long end)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    long at = start;
    int count = in.read(buffer);
    while (count >= 0) {
      ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
      while (bytes.hasRemaining()) {
        at += out.write(bytes, at);
      }
      count = in.read(buffer);
    }
    if (at != end) {
      throw new IOException("the content of a blob is cut off");
    }
  }

  /** Uploads a file with the properties of a blob. An existing blob is replaced. */
  void upload(Blob blob, Path file) throws IOException {
    if (Files.size(file) != blob.bytes()) {
      throw new TransferException(
          file + " does not have the " + blob.bytes() + " bytes of its blob");
    }
    switch (blob.type()) {
      case "AppendBlob" -> uploadAppendBlob(blob, file);
      case "PageBlob" -> uploadPageBlob(blob, file);
      default -> uploadBlockBlob(blob, file);
    }
  }

  private void uploadBlockBlob(Blob blob, Path file) {
    if (blob.bytes() <= BLOCK_BYTES_MIN) {
      client.call(
          body(
              withProperties(blob("PUT", blob.name()), blob).header("x-ms-blob-type", "BlockBlob"),
              file,
              0,
              blob.bytes()));
      return;
    }
    long size = Math.max(BLOCK_BYTES_MIN, (blob.bytes() + BLOCKS_MAX - 1) / BLOCKS_MAX);
    StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    for (long at = 0; at < blob.bytes(); at += size) {
      String id =
          Base64.getEncoder()
              .encodeToString(String.format("%016d", at).getBytes(StandardCharsets.US_ASCII));
      client.call(
          body(
              blob("PUT", blob.name()).query("comp", "block").query("blockid", id),
              file,
              at,
              Math.min(size, blob.bytes() - at)));
      list.append("<Latest>").append(id).append("</Latest>");
    }
    client.call(
        withProperties(blob("PUT", blob.name()).query("comp", "blocklist"), blob)
            .body(list.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8)));
  }

  private void uploadAppendBlob(Blob blob, Path file) {
    client.call(
        withProperties(blob("PUT", blob.name()), blob).header("x-ms-blob-type", "AppendBlob"));
    for (long at = 0; at < blob.bytes(); at += APPEND_BYTES) {
      Call call =
          blob("PUT", blob.name())
              .query("comp", "appendblock")
              .header("x-ms-blob-condition-appendpos", Long.toString(at));
      try {
        client.call(body(call, file, at, Math.min(APPEND_BYTES, blob.bytes() - at)));
      } catch (ServiceFailure e) {
        // A repeated request whose first answer was lost. The length is checked in the end.
        if (!e.code().equals("AppendPositionConditionNotMet")) {
          throw e;
        }
      }
    }
    requireLength(blob);
  }

  private void requireLength(Blob blob) {
    long length =
        client.call(
            blob("HEAD", blob.name()),
            answer -> answer.headers().firstValueAsLong("content-length").orElse(-1));
    if (length != blob.bytes()) {
      throw new TransferException("somebody else writes the blob " + blob.name());
    }
  }

  private void uploadPageBlob(Blob blob, Path file) throws IOException {
    client.call(
        withProperties(blob("PUT", blob.name()), blob)
            .header("x-ms-blob-type", "PageBlob")
            .header("x-ms-blob-content-length", Long.toString(blob.bytes())));
    byte[] pages = new byte[APPEND_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      long at = 0;
      int count = in.readNBytes(pages, 0, pages.length);
      while (count > 0) {
        if (!isZero(pages, count)) {
          client.call(
              body(
                  blob("PUT", blob.name())
                      .query("comp", "page")
                      .header("x-ms-page-write", "update")
                      .header("x-ms-range", "bytes=" + at + "-" + (at + count - 1)),
                  file,
                  at,
                  count));
        }
        at += count;
        count = in.readNBytes(pages, 0, pages.length);
      }
    }
  }

  private static boolean isZero(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static Call withProperties(Call call, Blob blob) {
    blob.headers().forEach(call::header);
    blob.metadata().forEach((name, value) -> call.header(META + name, value));
    if (!blob.tags().isEmpty()) {
      call.header(
          "x-ms-tags",
          blob.tags().entrySet().stream()
              .map(tag -> Percent.encode(tag.getKey()) + "=" + Percent.encode(tag.getValue()))
              .collect(Collectors.joining("&")));
    }
    if (!blob.tier().isEmpty() && blob.type().equals("BlockBlob")) {
      call.header("x-ms-access-tier", blob.tier());
    }
    return call;
  }

  /** Sets a part of a file as the body, which is read while it is sent. */
  private static Call body(Call call, Path file, long start, long bytes) {
    return call.body(() -> BodyPublishers.ofInputStream(() -> open(file, start, bytes)), bytes);
  }

  private static InputStream open(Path file, long start, long bytes) {
    try {
      FileChannel channel = FileChannel.open(file);
      channel.position(start);
      return new LimitedStream(Channels.newInputStream(channel), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
