package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The root container (blob-features 4.1), which an account may or may not have. */
class RootContainerWireTest {
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  private WireServer server;

  @BeforeEach
  void start() {
    server = WireServer.ofBlobs();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void create() {
    assertThat(server.owner("PUT", "/$root?restype=container", "").status()).isEqualTo(201);
  }

  @Test
  void withoutARootContainerNothingIsThere() {
    BlobWire.assertRefused(server.owner("GET", "/a.txt", ""), 404, "ContainerNotFound");
    BlobWire.assertRefused(
        server.owner("PUT", "/a.txt", "x", BLOCK_BLOB), 404, "ContainerNotFound");
    BlobWire.assertRefused(
        server.owner("GET", "/a.txt?restype=nonsense", ""), 400, "InvalidQueryParameterValue");
  }

  @Test
  void aBlobHasTwoAddresses() {
    create();
    assertThat(server.owner("PUT", "/a%20b.txt", "hello", BLOCK_BLOB).status()).isEqualTo(201);
    assertThat(server.owner("GET", "/$root/a%20b.txt", "").body()).isEqualTo("hello");
    assertThat(server.owner("GET", "/a%20b.txt", "").body()).isEqualTo("hello");
    assertThat(server.owner("PUT", "/a%20b.txt?comp=snapshot", "").status()).isEqualTo(201);
    String listing = server.owner("GET", "/$root?restype=container&comp=list", "").body();
    assertThat(listing).contains("<Name>a b.txt</Name>");
    assertThat(server.owner("GET", "?comp=list", "").body()).contains("<Name>$root</Name>");
    BlobWire.assertRefused(
        server.owner("PUT", "/$root/a/b", "x", BLOCK_BLOB), 400, "InvalidResourceName");
    BlobWire.assertRefused(
        server.owner("PUT", "/a%5Cb", "x", BLOCK_BLOB), 400, "InvalidResourceName");
    assertThat(server.owner("DELETE", "/$root?restype=container", "").status()).isEqualTo(202);
    BlobWire.assertRefused(server.owner("GET", "/a%20b.txt", ""), 404, "ContainerNotFound");
  }

  @Test
  void aPublicRootContainerServesAnybody() {
    create();
    server.owner("PUT", "/robots.txt", "none", BLOCK_BLOB);
    assertThat(server.anybody("GET", "/robots.txt", "").status()).isEqualTo(401);
    Answer opened =
        server.owner(
            "PUT", "/$root?restype=container&comp=acl", "", "x-ms-blob-public-access: blob");
    assertThat(opened.status()).isEqualTo(200);
    assertThat(server.anybody("GET", "/robots.txt", "").body()).isEqualTo("none");
    assertThat(server.anybody("GET", "/$root?restype=container&comp=list", "").status())
        .isEqualTo(401);
  }

  @Test
  void signaturesNameTheContainer() {
    create();
    server.owner("PUT", "/x", "hello", BLOCK_BLOB);
    String blob = WireServer.blobToken("$root/x", "sr", "b", "sp", "r");
    assertThat(server.anybody("GET", "/x?" + blob, "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", "/y?" + blob, "").status()).isEqualTo(403);
    String all = WireServer.blobToken("$root", "sr", "c", "sp", "rl");
    assertThat(server.anybody("GET", "/x?" + all, "").status()).isEqualTo(200);
    assertThat(server.anybody("GET", "/$root?restype=container&comp=list&" + all, "").status())
        .isEqualTo(200);
  }
}
