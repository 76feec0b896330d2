package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Heads and chunks that no client may send. The server refuses them with a 4xx, 501 or 505, or
 * closes the connection. It never answers the request that follows on the same connection, because
 * a proxy may have read that request as part of the first.
 */
final class OddHeaders implements Attack {

  private static final int ANSWER_MILLIS_MAX = 10_000;
  private static final String LINE = "GET /devstoreaccount1/open?restype=container HTTP/1.1\r\n";
  private static final String HOST = "Host: 127.0.0.1\r\n";
  private static final String NEXT = LINE + HOST + "x-ms-client-request-id: smuggled\r\n\r\n";

  @Override
  public String name() {
    return "odd-headers";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, 1);
  }

  /** Returns heads that must be refused, by what is wrong with them. */
  private static Map<String, String> heads() {
    Map<String, String> odd = new LinkedHashMap<>();
    odd.put("folded header", LINE + HOST + "x-a: 1\r\n folded\r\n\r\n");
    odd.put("header folded with a tab", LINE + HOST + "x-a: 1\r\n\tfolded\r\n\r\n");
    odd.put("folded first header", LINE + " x-a: 1\r\n" + HOST + "\r\n");
    odd.put("empty header name", LINE + HOST + ": 1\r\n\r\n");
    odd.put("space before the colon", LINE + HOST + "x-a : 1\r\n\r\n");
    odd.put("header without a colon", LINE + HOST + "x-a\r\n\r\n");
    odd.put("NUL in a header name", LINE + HOST + "x\0a: 1\r\n\r\n");
    odd.put("NUL in a header value", LINE + HOST + "x-a: 1\0002\r\n\r\n");
    odd.put("version of HTTP", LINE.replace("1.1", "9.9") + HOST + "\r\n");
    odd.put("no version", LINE.replace(" HTTP/1.1", "") + HOST + "\r\n");
    odd.put("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    odd.put("17,000 headers", LINE + HOST + "a:\r\n".repeat(17_000) + "\r\n");
    odd.put("a header of 100 KB", LINE + HOST + "a: " + "a".repeat(100_000) + "\r\n\r\n");
    odd.put("a URL of 200 KB", "GET /" + "a".repeat(200_000) + " HTTP/1.1\r\n" + HOST + "\r\n");
    return odd;
  }

  /** Returns uploads whose bodies have no clear end. The caller may upload. */
  private static Map<String, String> bodies(Target target) {
    String signed =
        new String(
            target
                .signed(StorageService.BLOB, "PUT", "/open/odd")
                .header("x-ms-blob-type", "BlockBlob")
                .bytes(),
            StandardCharsets.US_ASCII);
    String put = signed.substring(0, signed.length() - "\r\n".length());
    String chunked = put + "Transfer-Encoding: chunked\r\n\r\n";
    Map<String, String> odd = new LinkedHashMap<>();
    odd.put("gzip, chunked", put + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
    odd.put("chunked, gzip", put + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n");
    odd.put("two lengths", put + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy");
    odd.put("a list of lengths", put + "Content-Length: 1, 2\r\n\r\nxy");
    odd.put("negative length", put + "Content-Length: -1\r\n\r\n");
    odd.put("signed length", put + "Content-Length: +1\r\n\r\nx");
    odd.put("length that overflows", put + "Content-Length: 99999999999999999999\r\n\r\n");
    odd.put("negative chunk", chunked + "-1\r\nx\r\n0\r\n\r\n");
    odd.put("chunk that overflows", chunked + "ffffffffffffffff1\r\nx\r\n0\r\n\r\n");
    odd.put("chunk of no length", chunked + "\r\nx\r\n0\r\n\r\n");
    odd.put("letters as the length of a chunk", chunked + "xyz\r\nx\r\n0\r\n\r\n");
    return odd;
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    List<String> wrong = new ArrayList<>();
    Map<String, String> odd = heads();
    odd.putAll(bodies(target));
    for (Map.Entry<String, String> each : odd.entrySet()) {
      String answer =
          exchange(target, (each.getValue() + NEXT).getBytes(StandardCharsets.ISO_8859_1));
      if (!isRefusal(answer)) {
        wrong.add(each.getKey() + ": " + shortened(answer));
      }
    }
    if (!isRefusal(exchange(target, bytesOfAllKinds()))) {
      wrong.add("bytes that are not HTTP");
    }
    String metadata = exchange(target, queueWithManyPairs(target));
    if (!metadata.startsWith("HTTP/1.1 201")) {
      wrong.add("8 KiB of metadata in short pairs: " + shortened(metadata));
    }
    if (!wrong.isEmpty()) {
      throw new IOException(String.join("; ", wrong));
    }
    return odd.size() + " kinds of requests";
  }

  private static byte[] bytesOfAllKinds() {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 10);
    while (bytes.hasRemaining()) {
      bytes.put((byte) (bytes.position() * 37 + 128));
    }
    return bytes.array();
  }

  /** Returns a valid request whose metadata has 2,048 pairs of four characters each. */
  private static byte[] queueWithManyPairs(Target target) {
    WireRequest create =
        target.signed(StorageService.QUEUE, "PUT", "/pairs").header("Connection", "close");
    for (int i = 0; i < 2_048; i++) {
      create.anotherHeader("x-ms-meta-" + Integer.toString(10 * 36 * 36 + i, 36), "v");
    }
    return create.body("").bytes();
  }

  /** Returns true if the connection was closed without an answer or after a single refusal. */
  private static boolean isRefusal(String answer) {
    if (answer.isEmpty()) {
      return true;
    }
    boolean single = answer.indexOf("HTTP/1.1 ", 1) < 0 && !answer.contains("smuggled");
    return single && answer.matches("(?s)HTTP/\\d\\.\\d (4\\d\\d|501|505) .*");
  }

  /** Returns everything that the server sends until it closes the connection or stays silent. */
  private static String exchange(Target target, byte[] request) throws IOException {
    StorageService service =
        new String(request, StandardCharsets.ISO_8859_1).contains("/pairs")
            ? StorageService.QUEUE
            : StorageService.BLOB;
    StringBuilder answer = new StringBuilder();
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ANSWER_MILLIS_MAX);
      socket.connect(target.address(service));
      socket.getOutputStream().write(request);
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[16 << 10];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        answer.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketTimeoutException e) {
      return answer + "(the connection stays open)";
    } catch (IOException e) {
      // A reset ends the connection as well as a close does.
      return answer.toString();
    }
    return answer.toString();
  }

  private static String shortened(String answer) {
    return answer.lines().findFirst().orElse("").replace('|', '/')
        + (answer.contains("smuggled") ? " (and the next request was answered)" : "")
        + (answer.contains("stays open") ? " (and the connection stays open)" : "");
  }
}
