package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The root container. An account has only one, so the cases create it if it is missing, use new
 * names in it and leave it.
 */
@Covers(value = Area.ADDRESSING, service = StorageService.BLOB)
class RootContainerConformanceTest {

  private final ScratchContainer root =
      new ScratchContainer(ScratchContainer.sharedWire(), "$root");
  private final String name = ScratchContainer.freshName() + ".txt";

  RootContainerConformanceTest() {
    assertThat(root.on("PUT", "").send().status()).isIn(201, 409);
  }

  /** Creates a request for a blob that is addressed without its container. */
  private WireRequest bare(String verb, String query) {
    return root.wire().request(verb, "/" + name + (query.isEmpty() ? "" : "?" + query));
  }

  @Test
  @Documented("blob-features 4.1: a blob of the root container has two addresses")
  void aBlobHasTwoAddresses() {
    root.stored(name, "hello");
    WireAnswer read = bare("GET", "").send();
    expect(read).status(200);
    assertThat(read.text()).isEqualTo("hello");
    expect(bare("HEAD", "").send()).status(200);
    expect(
            bare("PUT", "comp=metadata")
                .header("Content-Length", "0")
                .header("x-ms-meta-a", "1")
                .send())
        .status(200);
    assertThat(root.property(name, "x-ms-meta-a")).isEqualTo("1");
    expect(root.wire().request("GET", "/%24root/" + name).send()).status(200);
    expect(bare("DELETE", "").send()).status(202);
    refused(root.get(name).send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-features 4.1: with restype the same path is a container")
  void withATypeThePathIsAContainer() {
    root.stored(name, "hello");
    String path = "/" + name.replace(".txt", "");
    refused(
        root.wire().request("GET", path + "?restype=container").send(), 404, "ContainerNotFound");
    refused(root.wire().request("GET", path + "?comp=metadata").send(), 404, "BlobNotFound");
    expect(root.delete(name).send()).status(202);
  }

  @Test
  @Documented("blob-features 4.1: the root container is listed, and its blobs have plain names")
  void theRootContainerIsListed() {
    root.stored(name, "hello");
    assertThat(BlobListing.of(root, "prefix=" + name).items()).containsExactly(name);
    WireAnswer containers = root.wire().request("GET", "/?comp=list&prefix=$root").send();
    assertThat(containers.text()).contains("<Name>$root</Name>");
    expect(root.delete(name).send()).status(202);
  }

  @Test
  @Documented("blob-features 4.1: names without slashes only")
  void namesHaveNoSlash() {
    refused(root.put("a/" + name, "x").send(), 400, "InvalidResourceName");
  }

  @Test
  @Documented("blob-features 4.1: a signature names the container, whichever address is used")
  void aSignatureNamesTheContainer() {
    root.stored(name, "hello");
    for (SharedAccess access : List.of(root.access(name, "r"), root.access("r"))) {
      expect(bare("GET", "").sas(access).send()).status(200);
      expect(root.get(name).sas(access).send()).status(200);
    }
    expect(bare("GET", "").sas(root.access("other", "r")).send()).status(403);
    expect(root.delete(name).send()).status(202);
  }

  @Test
  @Documented("blob-features 4.1: a copy from and to the root container")
  void aBlobIsCopiedFromItsShortAddress() {
    ScratchContainer other = ScratchContainer.create();
    other.stored("source", "copied");
    expect(
            bare("PUT", "")
                .header("Content-Length", "0")
                .header("x-ms-copy-source", other.url("source"))
                .send())
        .status(202);
    String bareUrl = root.wire().account().base() + "/" + name;
    expect(other.copy("back", bareUrl).send()).status(202);
    assertThat(other.content("back")).isEqualTo("copied");
    expect(root.delete(name).send()).status(202);
  }
}
