package io.lazuli.storage.history.http;

import io.lazuli.storage.history.blob.BlobClient;
import io.lazuli.storage.history.blob.BlobRequest;
import io.lazuli.storage.history.http.HttpLine.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Supplier;

/** Sends raw requests to a blob service. */
final class HttpBlobs implements BlobClient {
  private static final int BLOCKS = 3;

  private final HttpLine line;

  HttpBlobs(Supplier<InetSocketAddress> address, String token) {
    this.line = new HttpLine(address, token);
  }

  @Override
  public void create(String container) {
    try {
      int status = line.ask("PUT", "/" + container + "?restype=container", "", "").status();
      if (status != 201 && status != 409) {
        throw new IllegalStateException("container " + container + ": " + status);
      }
    } catch (IOException e) {
      create(container);
    }
  }

  @Override
  public boolean stage(String container, String blob, BlobRequest request) throws IOException {
    for (int i = 0; i < BLOCKS; i++) {
      String id = URLEncoder.encode(blockId(request, i), StandardCharsets.UTF_8);
      String path = "/" + container + "/" + blob + "?comp=block&blockid=" + id;
      String body = new String(request.block(i), StandardCharsets.ISO_8859_1);
      if (line.ask("PUT", path, lease(request), body).status() != 201) {
        return false;
      }
    }
    return true;
  }

  private static String blockId(BlobRequest request, int index) {
    byte[] id =
        String.format(Locale.ROOT, "%08d-%d", request.number(), index)
            .getBytes(StandardCharsets.US_ASCII);
    return Base64.getEncoder().encodeToString(id);
  }

  @Override
  public Changed change(String container, String blob, BlobRequest request) throws IOException {
    String path = "/" + container + "/" + blob;
    String headers = lease(request) + condition(request);
    Answer answer =
        switch (request.verb()) {
          case PUT ->
              line.ask(
                  "PUT",
                  path,
                  headers + "x-ms-blob-type: BlockBlob\r\n",
                  new String(request.content(), StandardCharsets.ISO_8859_1));
          case BLOCKS -> line.ask("PUT", path + "?comp=blocklist", headers, list(request));
          case DELETE -> line.ask("DELETE", path, headers, "");
          case ACQUIRE ->
              line.ask(
                  "PUT",
                  path + "?comp=lease",
                  "x-ms-lease-action: acquire\r\nx-ms-lease-duration: -1\r\n"
                      + "x-ms-proposed-lease-id: "
                      + BlobRequest.leaseId(request.number())
                      + "\r\n",
                  "");
          case RELEASE ->
              line.ask("PUT", path + "?comp=lease", headers + "x-ms-lease-action: release\r\n", "");
          case BREAK ->
              line.ask(
                  "PUT",
                  path + "?comp=lease",
                  "x-ms-lease-action: break\r\nx-ms-lease-break-period: 0\r\n",
                  "");
        };
    return new Changed(answer.status(), answer.header("etag"));
  }

  private static String list(BlobRequest request) {
    StringBuilder list = new StringBuilder("<BlockList>");
    for (int i = 0; i < BLOCKS; i++) {
      list.append("<Latest>").append(blockId(request, i)).append("</Latest>");
    }
    return list.append("</BlockList>").toString();
  }

  private static String lease(BlobRequest request) {
    return request.lease() == 0
        ? ""
        : "x-ms-lease-id: " + BlobRequest.leaseId(request.lease()) + "\r\n";
  }

  private static String condition(BlobRequest request) {
    return switch (request.expected()) {
      case BlobRequest.NONE -> "";
      case BlobRequest.ABSENT -> "If-None-Match: *\r\n";
      default -> "If-Match: " + request.etag() + "\r\n";
    };
  }

  @Override
  public Read read(String container, String blob) throws IOException {
    Answer answer = line.ask("GET", "/" + container + "/" + blob, "", "");
    return switch (answer.status()) {
      case 200 ->
          new Read(
              BlobRequest.number(answer.body().getBytes(StandardCharsets.ISO_8859_1)),
              answer.header("etag"));
      case 404 -> new Read(0, "");
      default -> throw new IllegalStateException("unexpected: " + answer);
    };
  }

  @Override
  public void close() throws IOException {
    line.close();
  }
}
