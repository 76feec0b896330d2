package io.lazuli.conformance.table.sdk;

import static io.lazuli.conformance.support.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.data.tables.models.TableServiceGeoReplicationStatus;
import com.azure.data.tables.models.TableServiceLogging;
import com.azure.data.tables.models.TableServiceMetrics;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.data.tables.models.TableServiceStatistics;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.AccountProperties;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Service properties and statistics through the official client. */
@Covers(Area.OPERATIONS)
@ResourceLock(AccountProperties.LOCK)
class SdkServiceConformanceTest {

  private final AccountProperties properties =
      AccountProperties.remember(ScratchTable.sharedWire());
  private final TableServiceClient service = SdkTables.service();

  @AfterEach
  void restore() {
    properties.restore();
  }

  private static TableServiceRetentionPolicy days(int days) {
    return new TableServiceRetentionPolicy().setEnabled(true).setDaysToRetain(days);
  }

  private static TableServiceCorsRule rule() {
    return new TableServiceCorsRule()
        .setAllowedMethods("GET,PUT")
        .setAllowedOrigins("http://a.example")
        .setAllowedHeaders("x-ms-meta-a")
        .setExposedHeaders("x-ms-*")
        .setMaxAgeInSeconds(10);
  }

  private static TableServiceProperties everything() {
    return new TableServiceProperties()
        .setLogging(
            new TableServiceLogging()
                .setAnalyticsVersion("1.0")
                .setReadLogged(true)
                .setRetentionPolicy(days(5)))
        .setHourMetrics(
            new TableServiceMetrics()
                .setVersion("1.0")
                .setEnabled(true)
                .setIncludeApis(true)
                .setRetentionPolicy(days(6)))
        .setMinuteMetrics(
            new TableServiceMetrics()
                .setVersion("1.0")
                .setEnabled(true)
                .setIncludeApis(false)
                .setRetentionPolicy(days(7)))
        .setCorsRules(List.of(rule()));
  }

  @Test
  @Documented("table-rest 6.6, 15 properties: round trip through Java")
  void propertiesComeBack() {
    service.setProperties(everything());
    eventually(
        () -> {
          TableServiceProperties kept = service.getProperties();
          assertThat(kept.getLogging().isReadLogged()).isTrue();
          assertThat(kept.getLogging().isWriteLogged()).isFalse();
          assertThat(kept.getLogging().getRetentionPolicy().getDaysToRetain()).isEqualTo(5);
          assertThat(kept.getHourMetrics().isIncludeApis()).isTrue();
          assertThat(kept.getMinuteMetrics().isIncludeApis()).isFalse();
          assertThat(kept.getMinuteMetrics().getTableServiceRetentionPolicy().getDaysToRetain())
              .isEqualTo(7);
          assertThat(kept.getCorsRules()).hasSize(1);
          assertThat(kept.getCorsRules().get(0).getAllowedMethods()).isEqualTo("GET,PUT");
          assertThat(kept.getCorsRules().get(0).getMaxAgeInSeconds()).isEqualTo(10);
        });
  }

  @Test
  @Documented("table-rest 6.6, 15 properties: partial update")
  void omittedPropertiesStay() {
    service.setProperties(everything());
    service.setProperties(
        new TableServiceProperties()
            .setLogging(everything().getLogging().setReadLogged(false).setWriteLogged(true)));
    eventually(
        () -> {
          TableServiceProperties kept = service.getProperties();
          assertThat(kept.getLogging().isReadLogged()).isFalse();
          assertThat(kept.getLogging().isWriteLogged()).isTrue();
          assertThat(kept.getHourMetrics().isIncludeApis()).isTrue();
        });
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("table-rest 6.6, 15 properties: 366 days, six CORS rules")
  void limitsAreToldByTheService() {
    expectInvalid(
        new TableServiceProperties()
            .setLogging(everything().getLogging().setRetentionPolicy(days(366))));
    expectInvalid(new TableServiceProperties().setCorsRules(Collections.nCopies(6, rule())));
  }

  private void expectInvalid(TableServiceProperties properties) {
    assertThatThrownBy(() -> service.setProperties(properties))
        .isInstanceOfSatisfying(
            HttpResponseException.class,
            e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(400));
  }

  @Test
  @Documented("table-rest 6.7, 15 stats: round trip through Java")
  void statisticsAreReadFromTheSecondary() {
    TableServiceClient secondary =
        new TableServiceClientBuilder()
            .connectionString(
                AccountUnderTest.get(StorageService.TABLE).secondary().connectionString())
            .buildClient();
    expectStatistics(secondary.getStatistics());
  }

  @Test
  @Documented("table-rest 6.7: this client asks the primary of an emulator")
  @Differs("Azure answers 400")
  void statisticsAreReadFromThePrimary() {
    expectStatistics(service.getStatistics());
  }

  private static void expectStatistics(TableServiceStatistics statistics) {
    assertThat(statistics.getGeoReplication().getStatus())
        .isIn(TableServiceGeoReplicationStatus.values());
  }
}
