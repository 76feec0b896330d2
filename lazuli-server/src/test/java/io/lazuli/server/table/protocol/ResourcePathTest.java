package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.PartitionCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcePathTest {
  @Test
  void theFixedPlaces() {
    assertThat(parse("")).isEqualTo(new ResourcePath.Service());
    assertThat(parse("/")).isEqualTo(new ResourcePath.Service());
    assertThat(parse("/Tables")).isEqualTo(new ResourcePath.TableCollection());
    assertThat(parse("/Tables()")).isEqualTo(new ResourcePath.TableCollection());
    assertThat(parse("/Tables('Orders')")).isEqualTo(new ResourcePath.TableEntry("Orders"));
    assertThat(parse("/$batch")).isEqualTo(new ResourcePath.Batch());
    assertThat(parse("/$metadata")).isEqualTo(new ResourcePath.Metadata());
    assertThat(parse("/Orders")).isEqualTo(new EntityCollection("Orders"));
    assertThat(parse("/Orders()")).isEqualTo(new EntityCollection("Orders"));
    assertThat(parse("/tables")).isEqualTo(new EntityCollection("tables"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/t(PartitionKey='p',RowKey='r')|p|r",
        "/t(PartitionKey='p', RowKey='r')|p|r",
        "/t(RowKey='r',PartitionKey='p')|p|r",
        "/t(PartitionKey='',RowKey='')|\"\"|\"\"",
        "/t(PartitionKey='O''Neil',RowKey='r')|O'Neil|r",
        "/t(PartitionKey='O%27%27Neil',RowKey=%27r%27)|O'Neil|r",
        "/t(PartitionKey='a,b)=(',RowKey='=')|a,b)=(|=",
        "/t(PartitionKey='a+b',RowKey='a%2Bb')|a+b|a+b",
        "/t(PartitionKey='r%C3%A9f',RowKey='%F0%9F%98%80')|réf|😀",
        "/t(PartitionKey='100%25',RowKey='a&b')|100%|a&b",
      })
  void keysAreDecodedOnceAndQuotesUndoubled(String path, String partitionKey, String rowKey) {
    assertThat(parse(path)).isEqualTo(new EntityEntry("t", new EntityKey(partitionKey, rowKey)));
  }

  @Test
  void oneKeyNamesAPartitionAsTheGuideWritesIt() {
    assertThat(parse("/t(PartitionKey='empid')")).isEqualTo(new PartitionCollection("t", "empid"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/t('x')", "/t(RowKey='x')", "/t(PartitionKey='a',RowKey='b',X='c')"})
  void otherNumbersOfKeysAreRefusedWithTheResourceNamed(String path) {
    ServiceException refusal = refused(TableErrors.WRONG_KEY_COUNT, path);
    assertThat(refusal.text()).endsWith("for the resource 'acct.t'.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/t(PartitionKey='a",
        "/t(PartitionKey='a/b',RowKey='c')",
        "/t(PartitionKey=a,RowKey=b)",
        "/t(PartitionKey'a',RowKey='b')",
        "/t(PartitionKey='a'RowKey='b')",
        "/t(PartitionKey='a',RowKey='b'",
      })
  void brokenPredicatesAreSyntaxErrors(String path) {
    refused(TableErrors.INVALID_PATH, path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/t%2", "/t%zz", "/t(PartitionKey='%ff',RowKey='b')", "/%C3%28"})
  void brokenPercentEncodingIsRefused(String path) {
    refused(CommonErrors.INVALID_URI, path);
  }

  @Test
  void aSecondSegmentIsIgnoredUnlessItHasKeys() {
    assertThat(parse("/Orders/Tables")).isEqualTo(new EntityCollection("Orders"));
    refused(TableErrors.WRONG_KEY_COUNT, "/Orders/Tables('Orders')");
  }

  private static ResourcePath parse(String path) {
    return ResourcePath.parse(path, "acct");
  }

  private static ServiceException refused(ServiceError error, String path) {
    ServiceException refusal = catchThrowableOfType(ServiceException.class, () -> parse(path));
    assertThat(refusal).as(path).isNotNull();
    assertThat(refusal.error()).isEqualTo(error);
    return refusal;
  }
}
