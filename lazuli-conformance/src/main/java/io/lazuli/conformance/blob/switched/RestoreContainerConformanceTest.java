package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Soft delete of containers, which no request can switch on. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class RestoreContainerConformanceTest {

  @TempDir private static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(), folder, "--container-retention-days", "2");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ScratchContainer container(String name) {
    return new ScratchContainer(new WireClient(server.account(StorageService.BLOB)), name);
  }

  private final ScratchContainer container = container(ScratchContainer.freshName()).created();

  private void delete() {
    expect(container.on("DELETE", "restype=container").send()).status(202);
  }

  private List<XmlElement> listed(String include) {
    WireAnswer answer =
        container
            .wire()
            .get("/?comp=list&prefix=" + container.name() + "&include=" + include)
            .send();
    return XmlElement.rootOf(answer).child("Containers").children();
  }

  private String version() {
    return listed("deleted").stream()
        .filter(one -> one.names().contains("Version"))
        .findFirst()
        .orElseThrow()
        .text("Version");
  }

  private WireRequest restore(ScratchContainer as, String name, String version) {
    return as.on("PUT", "restype=container&comp=undelete")
        .header("x-ms-deleted-container-name", name)
        .header("x-ms-deleted-container-version", version);
  }

  @Test
  @Documented("blob-features 2.6: deleted, invisible, listed on request, restored")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020-05-12")
  void aDeletedContainerIsRestored() {
    container.stored("b", "x");
    expect(
            container
                .on("PUT", "restype=container&comp=metadata")
                .header("x-ms-meta-owner", "ann")
                .send())
        .status(200);
    String etag = container.on("HEAD", "restype=container").send().etag();
    delete();
    refused(container.get("b").send(), 404, "ContainerNotFound");
    assertThat(listed("metadata")).isEmpty();
    XmlElement deleted = listed("deleted,metadata").get(0);
    assertThat(deleted.text("Deleted")).isEqualTo("true");
    assertThat(deleted.text("Version")).matches("[0-9A-F]{16}");
    XmlElement properties = deleted.child("Properties");
    assertThat(properties.text("LeaseState")).isEqualTo("available");
    assertThat(properties.text("DeletedTime")).endsWith(" GMT");
    assertThat(properties.text("RemainingRetentionDays")).isEqualTo("1");
    expect(restore(container, container.name(), version()).send())
        .status(201)
        .lacksHeader("ETag")
        .emptyBody();
    assertThat(container.content("b")).isEqualTo("x");
    expect(container.on("HEAD", "restype=container").send())
        .status(200)
        .header("x-ms-meta-owner", "ann");
    assertThat(container.on("HEAD", "restype=container").send().etag()).isNotEqualTo(etag);
    assertThat(listed("deleted").get(0).names()).doesNotContain("Deleted", "Version");
  }

  @Test
  @Documented("blob-features 2.6: the name is free at once; restored under another name")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020-05-12")
  void theNameIsUsedAgain() {
    container.stored("b", "old");
    delete();
    container.created();
    container.stored("b", "new");
    refused(restore(container, container.name(), version()).send(), 409, "ContainerAlreadyExists");
    ScratchContainer other = container(container.name() + "2");
    expect(restore(other, container.name(), version()).send()).status(201);
    assertThat(other.content("b")).isEqualTo("old");
    assertThat(container.content("b")).isEqualTo("new");
  }

  @Test
  @Documented("blob-features 2.6: no such deletion, missing headers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020-05-12")
  void whatWasNotDeletedIsNotRestored() {
    refused(
        restore(container, container.name(), "01D60F8BB59A4652").send(), 404, "ContainerNotFound");
    refused(
        container
            .on("PUT", "restype=container&comp=undelete")
            .header("x-ms-deleted-container-name", container.name())
            .send(),
        400,
        "MissingRequiredHeader");
    refused(
        container
            .on("PUT", "restype=container&comp=undelete")
            .header("x-ms-deleted-container-version", "01D60F8BB59A4652")
            .send(),
        400,
        "MissingRequiredHeader");
  }

  @Test
  @Documented("blob-features 2.6: do: a signature of the account restores, no other one does")
  void onlyASignatureOfTheAccountRestores() {
    delete();
    String version = version();
    SharedAccess service = container.access("racwdl");
    expect(restore(container, container.name(), version).sas(service).send()).refused();
    SharedAccess account = SharedAccess.ofAccount(container.wire().account());
    refused(
        restore(container, container.name(), version).sas(account.permissions("rl")).send(),
        403,
        "AuthorizationPermissionMismatch");
    expect(restore(container, container.name(), version).sas(account.permissions("w")).send())
        .status(201);
  }

  @Test
  @Documented("blob-features 2.6: a deletion needs the lease, a restored container has none")
  void theLeaseDoesNotReturn() {
    String id = "1f812371-a41d-49e6-b123-f4b542e851c5";
    expect(
            container
                .on("PUT", "restype=container&comp=lease")
                .header("x-ms-lease-action", "acquire")
                .header("x-ms-lease-duration", "-1")
                .header("x-ms-proposed-lease-id", id)
                .send())
        .status(201);
    refused(container.on("DELETE", "restype=container").send(), 412, "LeaseIdMissing");
    expect(container.on("DELETE", "restype=container").header("x-ms-lease-id", id).send())
        .status(202);
    expect(restore(container, container.name(), version()).send()).status(201);
    expect(container.on("HEAD", "restype=container").send())
        .status(200)
        .header("x-ms-lease-state", "available");
  }

  @Test
  @Documented("blob-features 2.6; mission B1: deletions and restorations outlive a kill")
  void deletionsOutliveAKill(@TempDir Path own) {
    ServerProcess first =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(), own, "--container-retention-days", "2");
    ScratchContainer made =
        new ScratchContainer(new WireClient(first.account(StorageService.BLOB)), "kills");
    made.created().stored("b", "x");
    expect(made.on("DELETE", "restype=container").send()).status(202);
    first.kill();
    try (ServerProcess second = ServerProcess.start(AccountUnderTest.serverJar(), own)) {
      ScratchContainer found =
          new ScratchContainer(new WireClient(second.account(StorageService.BLOB)), "kills");
      refused(found.get("b").send(), 404, "ContainerNotFound");
      WireAnswer list = found.wire().get("/?comp=list&include=deleted").send();
      String version =
          XmlElement.rootOf(list).child("Containers").child("Container").text("Version");
      expect(restore(found, "kills", version).send()).status(201);
      second.kill();
    }
    try (ServerProcess third = ServerProcess.start(AccountUnderTest.serverJar(), own)) {
      ScratchContainer found =
          new ScratchContainer(new WireClient(third.account(StorageService.BLOB)), "kills");
      assertThat(found.content("b")).isEqualTo("x");
    }
  }
}
