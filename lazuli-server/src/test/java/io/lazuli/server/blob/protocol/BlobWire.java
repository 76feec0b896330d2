package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A server, a new container for every test, and methods for requests about a blob in it. */
abstract class BlobWire {
  static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
  static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
  static final String APPEND_BLOB = "x-ms-blob-type: AppendBlob";
  static final String HELLO_MD5 = "XrY7u+Ae7tCTyyK7j1rNww==";
  static final String HELLO_CRC64 = "vo7q9sPVKY0=";

  static WireServer server;
  private static int made;

  String name;
  String container;
  String blob;

  @BeforeAll
  static void start() {
    server = WireServer.ofBlobs();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void makeContainer() {
    name = "docs-" + ++made;
    container = "/" + name;
    blob = container + "/a/b.txt";
    assertThat(server.owner("PUT", container + "?restype=container", "").status()).isEqualTo(201);
  }

  Answer put(String path, String content, String... more) {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.add(BLOCK_BLOB);
    return server.owner("PUT", path, content, headers.toArray(String[]::new));
  }

  static void assertRefused(Answer answer, int status, String code) {
    assertThat(answer.header("x-ms-error-code")).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
  }

  Answer commit(String path, String entries, String... headers) {
    return server.owner(
        "PUT", path + "?comp=blocklist", HEAD + "<BlockList>" + entries + "</BlockList>", headers);
  }

  String list(String more) {
    return container + "?restype=container&comp=list" + more;
  }

  static String marker(Answer page) {
    Matcher marker = Pattern.compile("<NextMarker>([^<]+)</NextMarker>").matcher(page.body());
    assertThat(marker.find()).isTrue();
    return marker.group(1);
  }
}
