package io.lazuli.conformance.table.sdk;

import static io.lazuli.conformance.support.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.sas.TableAccountSasPermission;
import com.azure.data.tables.sas.TableAccountSasResourceType;
import com.azure.data.tables.sas.TableAccountSasService;
import com.azure.data.tables.sas.TableAccountSasSignatureValues;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasProtocol;
import com.azure.data.tables.sas.TableSasSignatureValues;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Signatures and access policies, created and used by the official client. */
@Covers(Area.ACCESS)
class SdkAccessConformanceTest {

  private final TableClient owner = SdkTables.create();

  private static OffsetDateTime inHours(int hours) {
    return OffsetDateTime.now(ZoneOffset.UTC).plusHours(hours);
  }

  private TableClient holder(TableSasSignatureValues values) {
    return new TableClientBuilder()
        .endpoint(AccountUnderTest.get(StorageService.TABLE).base())
        .tableName(owner.getTableName())
        .sasToken(owner.generateSas(values))
        .buildClient();
  }

  private static TableSasSignatureValues allowing(String letters) {
    return new TableSasSignatureValues(inHours(1), TableSasPermission.parse(letters));
  }

  /**
   * Expects a refusal. Listings and XML resources throw the general exception, which has the code
   * only in a header.
   */
  private static void expectRefused(ThrowingCallable call, int status, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            e -> {
              assertThat(e.getResponse().getStatusCode()).isEqualTo(status);
              assertThat(code(e)).isEqualTo(code);
            });
  }

  private static String code(HttpResponseException refusal) {
    return refusal instanceof TableServiceException e
        ? e.getValue().getErrorCode().toString()
        : refusal.getResponse().getHeaderValue(HttpHeaderName.fromString("x-ms-error-code"));
  }

  private static List<String> rows(TableClient client) {
    return client.listEntities().stream().map(TableEntity::getRowKey).toList();
  }

  @Test
  @Documented("auth 4.2, 4.5: this client signs version 2020-12-06")
  void aTableSignatureOpensTheTableForItsLetters() {
    TableClient all = holder(allowing("raud"));
    all.createEntity(new TableEntity("p", "r").addProperty("A", 1));
    all.upsertEntity(new TableEntity("p", "s"));
    all.updateEntity(new TableEntity("p", "r").addProperty("B", 2), TableEntityUpdateMode.MERGE);
    all.submitTransaction(
        List.of(
            new TableTransactionAction(
                TableTransactionActionType.CREATE, new TableEntity("p", "t")),
            new TableTransactionAction(
                TableTransactionActionType.DELETE, new TableEntity("p", "s"))));
    assertThat(rows(all)).containsExactly("r", "t");
    assertThat(all.getEntity("p", "r").getProperties()).containsKeys("A", "B");
    TableClient reader = holder(allowing("r"));
    assertThat(rows(reader)).containsExactly("r", "t");
    expectRefused(
        () -> reader.createEntity(new TableEntity("p", "x")),
        403,
        "AuthorizationPermissionMismatch");
    expectRefused(() -> reader.deleteEntity("p", "r"), 403, "AuthorizationPermissionMismatch");
    assertThat(rows(owner)).containsExactly("r", "t");
  }

  @Test
  @Documented("auth 4.1: start, expiry, address and protocol")
  void theTermsOfASignatureBind() {
    TableClient good =
        holder(
            allowing("r")
                .setStartTime(inHours(-1))
                .setProtocol(TableSasProtocol.HTTPS_HTTP)
                .setSasIpRange(TableSasIpRange.parse("0.0.0.0-255.255.255.255"))
                .setVersion("2019-02-02"));
    assertThat(rows(good)).isEmpty();
    expectRefused(
        () -> rows(holder(allowing("r").setStartTime(inHours(1)).setExpiryTime(inHours(2)))),
        403,
        "AuthenticationFailed");
    expectRefused(
        () -> rows(holder(allowing("r").setExpiryTime(inHours(-1)))), 403, "AuthenticationFailed");
    expectRefused(
        () -> rows(holder(allowing("r").setSasIpRange(TableSasIpRange.parse("203.0.113.7")))),
        403,
        "AuthorizationSourceIPMismatch");
    if (!AccountUnderTest.get(StorageService.TABLE).isSecure()) {
      expectRefused(
          () -> rows(holder(allowing("r").setProtocol(TableSasProtocol.HTTPS_ONLY))),
          403,
          "AuthorizationProtocolMismatch");
    }
  }

  @Test
  @Documented("auth 6.2")
  void aRangeOfKeysBoundsWhatIsSeenAndChanged() {
    for (String partition : List.of("a", "b", "c")) {
      owner.createEntity(new TableEntity(partition, partition + "1"));
      owner.createEntity(new TableEntity(partition, partition + "2"));
    }
    TableClient holder =
        holder(
            allowing("raud")
                .setStartPartitionKey("a")
                .setStartRowKey("a2")
                .setEndPartitionKey("b")
                .setEndRowKey("b1"));
    assertThat(rows(holder)).containsExactly("a2", "b1");
    ListEntitiesOptions two = new ListEntitiesOptions().setFilter("RowKey ge 'b1'").setTop(1);
    assertThat(holder.listEntities(two, null, null).stream().map(TableEntity::getRowKey))
        .containsExactly("b1");
    expectRefused(() -> holder.getEntity("c", "c1"), 404, "ResourceNotFound");
    expectRefused(
        () -> holder.upsertEntity(new TableEntity("c", "c1").addProperty("A", 1)),
        403,
        "AuthorizationFailure");
    expectRefused(() -> holder.deleteEntity("a", "a1"), 403, "AuthorizationFailure");
    holder.upsertEntity(new TableEntity("a", "a3"));
    assertThat(rows(owner)).containsExactly("a1", "a2", "a3", "b1", "b2", "c1", "c2");
  }

  @Test
  @Documented("table-rest 6.5, 15 ACL; auth 6.1: round trip through Java")
  void policiesAreSetReadAndRevoked() {
    OffsetDateTime start = OffsetDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    OffsetDateTime expiry = OffsetDateTime.of(2094, 1, 1, 10, 30, 15, 0, ZoneOffset.UTC);
    owner.setAccessPolicies(
        List.of(
            new TableSignedIdentifier("reader")
                .setAccessPolicy(
                    new TableAccessPolicy()
                        .setStartsOn(start)
                        .setExpiresOn(expiry)
                        .setPermissions("r")),
            new TableSignedIdentifier("empty")));
    List<TableSignedIdentifier> kept = owner.getAccessPolicies().getIdentifiers();
    assertThat(kept).extracting(TableSignedIdentifier::getId).containsExactly("reader", "empty");
    assertThat(kept.get(0).getAccessPolicy().getStartsOn()).isEqualTo(start);
    assertThat(kept.get(0).getAccessPolicy().getExpiresOn()).isEqualTo(expiry);
    assertThat(kept.get(0).getAccessPolicy().getPermissions()).isEqualTo("r");
    TableClient reader = holder(new TableSasSignatureValues("reader"));
    eventually(() -> assertThat(rows(reader)).isEmpty());
    expectRefused(
        () -> reader.createEntity(new TableEntity("p", "r")),
        403,
        "AuthorizationPermissionMismatch");
    owner.setAccessPolicies(List.of());
    assertThat(owner.getAccessPolicies().getIdentifiers()).isNullOrEmpty();
    eventually(() -> expectRefused(() -> rows(reader), 403, "AuthenticationFailed"));
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("table-rest 5.4, 15 ACL: six policies")
  void fivePoliciesAreTheMost() {
    List<TableSignedIdentifier> six =
        List.of("1", "2", "3", "4", "5", "6").stream()
            .map(
                id ->
                    new TableSignedIdentifier(id)
                        .setAccessPolicy(new TableAccessPolicy().setPermissions("r")))
            .toList();
    owner.setAccessPolicies(six.subList(0, 5));
    expectRefused(() -> owner.setAccessPolicies(six), 400, "InvalidXmlDocument");
    assertThat(owner.getAccessPolicies().getIdentifiers()).hasSize(5);
  }

  private static TableServiceClient accountHolder(String letters, String types) {
    String token =
        SdkTables.service()
            .generateAccountSas(
                new TableAccountSasSignatureValues(
                    inHours(1),
                    TableAccountSasPermission.parse(letters),
                    TableAccountSasService.parse("t"),
                    TableAccountSasResourceType.parse(types)));
    return new TableServiceClientBuilder()
        .endpoint(AccountUnderTest.get(StorageService.TABLE).base())
        .sasToken(token)
        .buildClient();
  }

  @Test
  @Documented("auth 5: this client signs version 2020-04-08")
  void anAccountSignatureOpensTheService() {
    TableServiceClient all = accountHolder("rwdlacu", "sco");
    String name = ScratchTable.named(ScratchTable.freshName()).name();
    TableClient table = all.createTable(name);
    table.createEntity(new TableEntity("p", "r"));
    assertThat(rows(table)).containsExactly("r");
    assertThat(all.listTables().stream().anyMatch(item -> item.getName().equals(name))).isTrue();
    assertThat(all.getProperties().getHourMetrics()).isNotNull();
    all.deleteTable(name);
  }

  @Test
  @Documented("auth 5, 7")
  void anAccountSignatureIsBoundToTypesAndLetters() {
    String name = owner.getTableName();
    expectRefused(
        () -> accountHolder("rwdlacu", "co").getProperties(),
        403,
        "AuthorizationResourceTypeMismatch");
    expectRefused(
        () ->
            accountHolder("r", "sco").getTableClient(name).createEntity(new TableEntity("p", "r")),
        403,
        "AuthorizationPermissionMismatch");
    assertThat(rows(accountHolder("r", "o").getTableClient(name))).isEmpty();
  }
}
