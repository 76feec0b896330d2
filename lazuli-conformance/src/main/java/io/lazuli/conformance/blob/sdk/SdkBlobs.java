package io.lazuli.conformance.blob.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The official Java client, connected to the account under test. */
final class SdkBlobs {

  static final Account ACCOUNT = AccountUnderTest.get(StorageService.BLOB);

  private SdkBlobs() {}

  static BlobServiceClientBuilder builder() {
    return new BlobServiceClientBuilder().endpoint(ACCOUNT.base()).retryOptions(retries());
  }

  static BlobServiceClient service() {
    return builder().connectionString(ACCOUNT.connectionString()).buildClient();
  }

  /** Creates a container, which is removed at the end of the run. */
  static BlobContainerClient container(BlobServiceClient service) {
    return service.createBlobContainer(ScratchContainer.named(ScratchContainer.freshName()).name());
  }

  /**
   * Returns the retry options. A service other than the packed server may throttle us, which is
   * unrelated to the case.
   */
  private static RequestRetryOptions retries() {
    int tries = AccountUnderTest.isElsewhere() ? 4 : 1;
    Duration pause = Duration.ofSeconds(1);
    return new RequestRetryOptions(
        RetryPolicyType.FIXED, tries, Duration.ofMinutes(2), pause, pause, null);
  }

  static void expectRefused(ThrowingCallable call, int status, BlobErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            BlobStorageException.class,
            e -> {
              assertThat(e.getStatusCode()).isEqualTo(status);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
  }

  static OffsetDateTime inHours(int hours) {
    return OffsetDateTime.now(ZoneOffset.UTC).plusHours(hours);
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
