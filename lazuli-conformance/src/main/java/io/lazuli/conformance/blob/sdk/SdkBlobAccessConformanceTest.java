package io.lazuli.conformance.blob.sdk;

import static io.lazuli.conformance.blob.sdk.SdkBlobs.expectRefused;
import static io.lazuli.conformance.blob.sdk.SdkBlobs.inHours;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.ArchiveStatus;
import com.azure.storage.blob.models.BlobAccessPolicy;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.blob.models.BlobCorsRule;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.blob.models.BlobSignedIdentifier;
import com.azure.storage.blob.models.ListBlobContainersOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.models.RehydratePriority;
import com.azure.storage.blob.models.SkuName;
import com.azure.storage.blob.models.StaticWebsite;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Containers, listings and shared access through the official Java client. */
@Covers(value = Area.ACCESS, service = StorageService.BLOB)
@ResourceLock(AccountProperties.LOCK)
class SdkBlobAccessConformanceTest {

  private static final BlobServiceClient SERVICE = SdkBlobs.service();

  private final BlobContainerClient container = SdkBlobs.container(SERVICE);

  private void upload(String... names) {
    for (String name : names) {
      container.getBlobClient(name).upload(BinaryData.fromString(name));
    }
  }

  /** Returns a token that allows reading the blob for an hour. */
  static String readToken(BlobClient blob) {
    return blob.generateSas(
        new BlobServiceSasSignatureValues(
            inHours(1), new BlobSasPermission().setReadPermission(true)));
  }

  private BlobContainerClient holder(String token) {
    return SdkBlobs.builder()
        .sasToken(token)
        .buildClient()
        .getBlobContainerClient(container.getBlobContainerName());
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("blob-rest 9.2, 9.3, 9.4, 9.5: containers")
  void containersAreCreatedDescribedAndDeleted() {
    BlobContainerClient other =
        SERVICE.getBlobContainerClient(ScratchContainer.named(ScratchContainer.freshName()).name());
    assertThat(other.exists()).isFalse();
    assertThat(other.createIfNotExists()).isTrue();
    assertThat(other.createIfNotExists()).isFalse();
    expectRefused(other::create, 409, BlobErrorCode.CONTAINER_ALREADY_EXISTS);
    other.setMetadata(Map.of("owner", "ann"));
    assertThat(other.getProperties().getMetadata()).containsEntry("owner", "ann");
    assertThat(other.deleteIfExists()).isTrue();
    assertThat(other.deleteIfExists()).isFalse();
    expectRefused(other::getProperties, 404, BlobErrorCode.CONTAINER_NOT_FOUND);
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("blob-rest 8.1: containers in pages")
  void containersAreListedInPages() {
    String prefix = ScratchContainer.freshName().substring(0, 20);
    List<String> names = List.of(prefix + "a", prefix + "b", prefix + "c");
    names.forEach(name -> SERVICE.createBlobContainer(ScratchContainer.named(name).name()));
    ListBlobContainersOptions options =
        new ListBlobContainersOptions().setPrefix(prefix).setMaxResultsPerPage(2);
    assertThat(SERVICE.listBlobContainers(options, null))
        .extracting(BlobContainerItem::getName)
        .isEqualTo(names);
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("blob-rest 13, 20.12: flat and by hierarchy, in pages")
  void blobsAreListedFlatAndByHierarchy() {
    upload("a.txt", "b/1", "b/2", "b/c/3", "z");
    assertThat(container.listBlobsByHierarchy("/", null, null))
        .extracting(item -> item.getName() + (Boolean.TRUE.equals(item.isPrefix()) ? " group" : ""))
        .containsExactlyInAnyOrder("a.txt", "b/ group", "z");
    assertThat(container.listBlobsByHierarchy("b/"))
        .extracting(BlobItem::getName)
        .containsExactlyInAnyOrder("b/1", "b/2", "b/c/");
    ListBlobsOptions pages = new ListBlobsOptions().setMaxResultsPerPage(2).setPrefix("b");
    List<Integer> sizes = new ArrayList<>();
    for (PagedResponse<BlobItem> page : container.listBlobs(pages, null).iterableByPage()) {
      sizes.add(page.getValue().size());
    }
    assertThat(sizes).containsExactly(2, 1);
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("blob-rest 13, 20.12: with everything that can be included")
  void blobsAreListedWithEverything() {
    BlobClient blob = container.getBlobClient("a");
    blob.upload(BinaryData.fromString("x"));
    blob.setMetadata(Map.of("owner", "ann"));
    blob.setTags(Map.of("k", "v"));
    ListBlobsOptions options =
        new ListBlobsOptions()
            .setDetails(
                new BlobListDetails()
                    .setRetrieveMetadata(true)
                    .setRetrieveTags(true)
                    .setRetrieveCopy(true)
                    .setRetrieveSnapshots(true)
                    .setRetrieveUncommittedBlobs(true));
    BlobItem item = container.listBlobs(options, null).iterator().next();
    assertThat(item.getMetadata()).containsEntry("owner", "ann");
    assertThat(item.getTags()).containsEntry("k", "v");
    assertThat(item.getProperties().getContentLength()).isEqualTo(1);
    assertThat(item.getProperties().getETag()).isEqualTo(blob.getProperties().getETag());
  }

  @Test
  @Documented("blob-rest 7, 20.14: a signature for a blob")
  void aBlobsSignatureOpensIt() {
    upload("a", "b");
    BlobContainerClient reader = holder(readToken(container.getBlobClient("a")));
    assertThat(reader.getBlobClient("a").downloadContent().toString()).isEqualTo("a");
    expectRefused(
        () -> reader.getBlobClient("b").downloadContent(),
        403,
        BlobErrorCode.AUTHENTICATION_FAILED);
    expectRefused(
        () -> reader.getBlobClient("a").upload(BinaryData.fromString("x"), true),
        403,
        BlobErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
  }

  @Test
  @Documented("blob-rest 7, 20.14: a signature for a container")
  void aContainersSignatureOpensItsBlobs() {
    upload("a");
    BlobContainerSasPermission permissions =
        new BlobContainerSasPermission()
            .setReadPermission(true)
            .setListPermission(true)
            .setCreatePermission(true);
    BlobContainerClient member =
        holder(container.generateSas(new BlobServiceSasSignatureValues(inHours(1), permissions)));
    assertThat(member.listBlobs()).extracting(BlobItem::getName).containsExactly("a");
    member.getBlobClient("b").upload(BinaryData.fromString("new"));
    expectRefused(
        () -> member.getBlobClient("b").delete(),
        403,
        BlobErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
  }

  @Test
  @Documented("blob-rest 9.6, 20.14: a signature that names a policy")
  void aPolicyIsStoredAndNamed() {
    upload("a");
    container.setAccessPolicy(
        null,
        List.of(
            new BlobSignedIdentifier()
                .setId("readers")
                .setAccessPolicy(
                    new BlobAccessPolicy()
                        .setStartsOn(inHours(-1))
                        .setExpiresOn(inHours(1))
                        .setPermissions("r"))));
    BlobContainerClient reader =
        holder(container.generateSas(new BlobServiceSasSignatureValues("readers")));
    Patience.eventually(
        () -> assertThat(reader.getBlobClient("a").downloadContent().toString()).isEqualTo("a"));
    assertThat(container.getAccessPolicy().getIdentifiers())
        .extracting(BlobSignedIdentifier::getId)
        .containsExactly("readers");
    container.setAccessPolicy(PublicAccessType.BLOB, List.of());
    assertThat(container.getAccessPolicy().getBlobAccessType()).isEqualTo(PublicAccessType.BLOB);
  }

  @Test
  @Documented("blob-features 9.2: a token for a virtual directory")
  @Differs("Azurite 3.37.0 does not know sr=d")
  void aDirectorysTokenOpensItsBlobs() {
    upload("dir/sub/a", "dir/subx");
    String token =
        SharedAccess.ofDirectory(
                ScratchContainer.sharedWire().account(),
                container.getBlobContainerName(),
                "dir/sub",
                2)
            .permissions("rcw")
            .token();
    BlobContainerClient member = holder(token);
    assertThat(member.getBlobClient("dir/sub/a").downloadContent().toString())
        .isEqualTo("dir/sub/a");
    member.getBlobClient("dir/sub/b").upload(BinaryData.fromString("new"));
    expectRefused(
        () -> member.getBlobClient("dir/subx").downloadContent(),
        403,
        BlobErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  @Covers(Area.ADDRESSING)
  @Documented("blob-features 4.1: the root container")
  void theRootContainerHasBlobs() {
    BlobContainerClient root =
        SERVICE.getBlobContainerClient(BlobContainerClient.ROOT_CONTAINER_NAME);
    root.createIfNotExists();
    BlobClient blob = root.getBlobClient(ScratchContainer.freshName());
    blob.upload(BinaryData.fromString("hello"));
    assertThat(blob.downloadContent().toString()).isEqualTo("hello");
    blob.delete();
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("blob-features 4.5, 4.6: a blob leaves the archive")
  @Differs("Azurite 3.37.0 changes the tier at once")
  void aBlobLeavesTheArchive() {
    upload("a");
    BlobClient blob = container.getBlobClient("a");
    blob.setAccessTier(AccessTier.ARCHIVE);
    expectRefused(blob::downloadContent, 409, BlobErrorCode.BLOB_ARCHIVED);
    int status =
        blob.setAccessTierWithResponse(
                AccessTier.HOT, RehydratePriority.HIGH, null, null, Context.NONE)
            .getStatusCode();
    assertThat(status).isEqualTo(202);
    BlobProperties pending = blob.getProperties();
    assertThat(pending.getAccessTier()).isEqualTo(AccessTier.ARCHIVE);
    assertThat(pending.getArchiveStatus()).isEqualTo(ArchiveStatus.REHYDRATE_PENDING_TO_HOT);
    assertThat(pending.getRehydratePriority()).isEqualTo(RehydratePriority.HIGH);
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("blob-features 4.2: the settings of the static website")
  void aWebsiteIsSwitchedOn() {
    AccountProperties before = AccountProperties.remember(ScratchContainer.sharedWire());
    try {
      BlobServiceProperties properties = SERVICE.getProperties();
      properties.setStaticWebsite(
          new StaticWebsite()
              .setEnabled(true)
              .setIndexDocument("index.html")
              .setErrorDocument404Path("errors/404.html"));
      SERVICE.setPropertiesWithResponse(properties, null, Context.NONE);
      Patience.eventually(
          () -> {
            StaticWebsite website = SERVICE.getProperties().getStaticWebsite();
            assertThat(website.isEnabled()).isTrue();
            assertThat(website.getIndexDocument()).isEqualTo("index.html");
            assertThat(website.getErrorDocument404Path()).isEqualTo("errors/404.html");
          });
    } finally {
      before.restore();
    }
  }

  @Test
  @Documented("blob-rest 7, 20.14; auth 5: a signature of the account")
  void anAccountsSignatureOpensTheService() {
    upload("a");
    String token =
        SERVICE.generateAccountSas(
            new AccountSasSignatureValues(
                inHours(1),
                new AccountSasPermission().setReadPermission(true).setListPermission(true),
                new AccountSasService().setBlobAccess(true),
                new AccountSasResourceType().setService(true).setContainer(true).setObject(true)));
    BlobContainerClient reader = holder(token);
    assertThat(reader.getBlobClient("a").downloadContent().toString()).isEqualTo("a");
    assertThat(reader.listBlobs()).hasSize(1);
    expectRefused(
        () -> reader.getBlobClient("a").delete(),
        403,
        BlobErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("blob-rest 8.2, 8.4: the service and the account")
  void theServiceIsDescribed() {
    assertThat(SERVICE.getAccountInfo().getSkuName()).isEqualTo(SkuName.STANDARD_LRS);
    AccountProperties before = AccountProperties.remember(ScratchContainer.sharedWire());
    try {
      BlobServiceProperties properties = SERVICE.getProperties();
      properties.setCors(
          List.of(
              new BlobCorsRule()
                  .setAllowedOrigins("http://a.example")
                  .setAllowedMethods("GET")
                  .setAllowedHeaders("x-ms-*")
                  .setExposedHeaders("x-ms-*")
                  .setMaxAgeInSeconds(60)));
      SERVICE.setPropertiesWithResponse(properties, null, Context.NONE);
      Patience.eventually(
          () ->
              assertThat(SERVICE.getProperties().getCors())
                  .extracting(BlobCorsRule::getAllowedOrigins)
                  .containsExactly("http://a.example"));
    } finally {
      before.restore();
    }
  }
}
