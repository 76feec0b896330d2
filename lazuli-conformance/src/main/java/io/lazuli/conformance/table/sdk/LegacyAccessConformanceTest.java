package io.lazuli.conformance.table.sdk;

import static io.lazuli.conformance.support.LegacyFailure.expectError;
import static io.lazuli.conformance.support.Patience.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.CorsHttpMethods;
import com.microsoft.azure.storage.CorsRule;
import com.microsoft.azure.storage.GeoReplicationStatus;
import com.microsoft.azure.storage.LocationMode;
import com.microsoft.azure.storage.RetryNoRetry;
import com.microsoft.azure.storage.ServiceProperties;
import com.microsoft.azure.storage.SharedAccessAccountPolicy;
import com.microsoft.azure.storage.StorageCredentialsSharedAccessSignature;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.StorageUri;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.CloudTableClient;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.SharedAccessTablePolicy;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TablePermissions;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableRequestOptions;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Signatures, policies and service properties through the previous official client. */
@Covers(Area.ACCESS)
class LegacyAccessConformanceTest {

  private final Account account = AccountUnderTest.get(StorageService.TABLE);
  private final CloudStorageAccount storage;
  private final CloudTableClient client;
  private final CloudTable table;

  LegacyAccessConformanceTest() throws URISyntaxException, InvalidKeyException, StorageException {
    storage =
        CloudStorageAccount.parse(
            account.connectionString()
                + "TableSecondaryEndpoint="
                + account.secondary().base()
                + ";");
    client = storage.createCloudTableClient();
    client.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    table = client.getTableReference(ScratchTable.named(ScratchTable.freshName()).name());
    table.create();
  }

  private static Date inHours(int hours) {
    return Date.from(Instant.now().plus(Duration.ofHours(hours)));
  }

  private static SharedAccessTablePolicy allowing(String letters) {
    SharedAccessTablePolicy policy = new SharedAccessTablePolicy();
    policy.setPermissionsFromString(letters);
    policy.setSharedAccessExpiryTime(inHours(1));
    return policy;
  }

  private CloudTable holder(String token) throws URISyntaxException, StorageException {
    CloudTableClient holder =
        new CloudTableClient(
            new StorageUri(account.endpoint()), new StorageCredentialsSharedAccessSignature(token));
    holder.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    return holder.getTableReference(table.getName());
  }

  private CloudTable holder(
      @Nullable SharedAccessTablePolicy policy,
      @Nullable String id,
      @Nullable String firstPartition,
      @Nullable String lastPartition)
      throws URISyntaxException, StorageException, InvalidKeyException {
    return holder(
        table.generateSharedAccessSignature(policy, id, firstPartition, null, lastPartition, null));
  }

  private static void insert(CloudTable into, String partition, String row)
      throws StorageException {
    into.execute(TableOperation.insert(new DynamicTableEntity(partition, row)));
  }

  private static List<String> rows(CloudTable from) {
    List<String> rows = new ArrayList<>();
    from.execute(TableQuery.from(DynamicTableEntity.class)).forEach(e -> rows.add(e.getRowKey()));
    return rows;
  }

  @Test
  @Documented("auth 4.2, 4.5: this client signs version 2018-03-28")
  void aTableSignatureOpensTheTableForItsLetters()
      throws StorageException, URISyntaxException, InvalidKeyException {
    CloudTable all = holder(allowing("raud"), null, null, null);
    insert(all, "p", "r");
    all.execute(TableOperation.insertOrMerge(new DynamicTableEntity("p", "s")));
    assertThat(rows(all)).containsExactly("r", "s");
    CloudTable reader = holder(allowing("r"), null, null, null);
    assertThat(rows(reader)).containsExactly("r", "s");
    expectError(() -> insert(reader, "p", "t"), 403, "AuthorizationPermissionMismatch");
  }

  @Test
  @Documented("auth 6.2")
  void aRangeOfKeysBoundsWhatIsSeenAndChanged()
      throws StorageException, URISyntaxException, InvalidKeyException {
    for (String partition : List.of("a", "b", "c")) {
      insert(table, partition, partition + "1");
    }
    CloudTable holder = holder(allowing("raud"), null, "b", "b");
    assertThat(rows(holder)).containsExactly("b1");
    expectError(() -> insert(holder, "a", "a2"), 403, "AuthorizationFailure");
    insert(holder, "b", "b2");
    Object outside =
        holder.execute(TableOperation.retrieve("c", "c1", DynamicTableEntity.class)).getResult();
    assertThat(outside).isNull();
  }

  @Test
  @Documented("table-rest 6.5, 15 ACL; auth 6.1: round trip through the older Java client")
  void permissionsAreUploadedUsedAndRevoked()
      throws StorageException, URISyntaxException, InvalidKeyException {
    TablePermissions permissions = new TablePermissions();
    HashMap<String, SharedAccessTablePolicy> policies = new HashMap<>();
    policies.put("reader", allowing("r"));
    permissions.setSharedAccessPolicies(policies);
    table.uploadPermissions(permissions);
    TablePermissions kept = table.downloadPermissions();
    assertThat(kept.getSharedAccessPolicies()).containsOnlyKeys("reader");
    assertThat(requireNonNull(kept.getSharedAccessPolicies().get("reader")).permissionsToString())
        .isEqualTo("r");
    CloudTable reader = holder(null, "reader", null, null);
    eventually(() -> assertThat(rows(reader)).isEmpty());
    expectError(() -> insert(reader, "p", "r"), 403, "AuthorizationPermissionMismatch");
    table.uploadPermissions(new TablePermissions());
    assertThat(table.downloadPermissions().getSharedAccessPolicies()).isEmpty();
    eventually(
        () ->
            expectError(
                () -> reader.execute(TableOperation.retrieve("p", "r", DynamicTableEntity.class)),
                403,
                "AuthenticationFailed"));
  }

  @Test
  @Documented("auth 5")
  void anAccountSignatureOpensTheService()
      throws StorageException, URISyntaxException, InvalidKeyException {
    SharedAccessAccountPolicy policy = new SharedAccessAccountPolicy();
    policy.setPermissionsFromString("rwdlacu");
    policy.setServiceFromString("t");
    policy.setResourceTypeFromString("sco");
    policy.setSharedAccessExpiryTime(inHours(1));
    CloudTable all = holder(storage.generateSharedAccessSignature(policy));
    insert(all, "p", "r");
    assertThat(rows(all)).containsExactly("r");
    assertThat(all.exists()).isTrue();
    policy.setPermissionsFromString("r");
    CloudTable reader = holder(storage.generateSharedAccessSignature(policy));
    expectError(() -> insert(reader, "p", "s"), 403, "AuthorizationPermissionMismatch");
    expectError(reader::delete, 403, "AuthorizationPermissionMismatch");
  }

  @Test
  @Covers(Area.OPERATIONS)
  @ResourceLock(AccountProperties.LOCK)
  @Documented("table-rest 6.6, 15 properties: round trip through the older Java client")
  void servicePropertiesComeBack() throws StorageException {
    AccountProperties before = AccountProperties.remember(ScratchTable.sharedWire());
    try {
      ServiceProperties properties = new ServiceProperties();
      CorsRule rule = new CorsRule();
      rule.setAllowedMethods(EnumSet.of(CorsHttpMethods.GET));
      rule.setAllowedOrigins(List.of("http://a.example"));
      rule.setMaxAgeInSeconds(12);
      properties.getCors().getCorsRules().add(rule);
      properties.getHourMetrics().setRetentionIntervalInDays(3);
      client.uploadServiceProperties(properties);
      eventually(
          () -> {
            ServiceProperties kept = client.downloadServiceProperties();
            assertThat(kept.getHourMetrics().getRetentionIntervalInDays()).isEqualTo(3);
            assertThat(kept.getCors().getCorsRules()).hasSize(1);
            assertThat(kept.getCors().getCorsRules().get(0).getMaxAgeInSeconds()).isEqualTo(12);
          });
    } finally {
      before.restore();
    }
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("table-rest 6.7, 15 stats: this client asks the secondary")
  void statisticsAreReadFromTheSecondary() throws StorageException {
    TableRequestOptions options = new TableRequestOptions();
    options.setLocationMode(LocationMode.SECONDARY_ONLY);
    assertThat(client.getServiceStats(options, null).getGeoReplication().getStatus())
        .isIn(
            GeoReplicationStatus.LIVE,
            GeoReplicationStatus.BOOTSTRAP,
            GeoReplicationStatus.UNAVAILABLE);
  }

  @Test
  @Covers(Area.ADDRESSING)
  @Documented("table-rest 2.3: reads on the secondary")
  void readsGoToTheSecondary() throws StorageException {
    insert(table, "p", "r");
    TableRequestOptions options = new TableRequestOptions();
    options.setLocationMode(LocationMode.SECONDARY_ONLY);
    eventually(
        () -> {
          Object found =
              table
                  .execute(
                      TableOperation.retrieve("p", "r", DynamicTableEntity.class), options, null)
                  .getResult();
          assertThat(found).isNotNull();
        });
  }
}
