package io.lazuli.conformance.table.sdk;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.table.ScratchTable;
import java.time.Duration;

/** The official client, connected to the account under test. */
final class SdkTables {

  private static final TableServiceClient SERVICE =
      new TableServiceClientBuilder()
          .connectionString(AccountUnderTest.get(StorageService.TABLE).connectionString())
          .retryOptions(retries())
          .buildClient();

  private SdkTables() {}

  /**
   * Returns the retry options. A service other than the packed server may throttle us, which is
   * unrelated to the case.
   */
  private static RetryOptions retries() {
    return AccountUnderTest.isElsewhere()
        ? new RetryOptions(
            new ExponentialBackoffOptions()
                .setMaxRetries(3)
                .setBaseDelay(Duration.ofSeconds(1))
                .setMaxDelay(Duration.ofSeconds(30)))
        : new RetryOptions(new FixedDelayOptions(1, Duration.ofMillis(100)));
  }

  static TableServiceClient service() {
    return SERVICE;
  }

  /** Creates a table through the official client and returns a client for it. */
  static TableClient create() {
    ScratchTable table = ScratchTable.named(ScratchTable.freshName());
    return SERVICE.createTable(table.name());
  }
}
