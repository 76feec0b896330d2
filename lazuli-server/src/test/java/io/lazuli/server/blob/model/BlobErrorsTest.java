package io.lazuli.server.blob.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.ServiceError;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlobErrorsTest {
  /** The codes of blob-rest 16 that no other service has, with all their statuses. */
  private static final String CATALOGUE =
      """
      304 ConditionNotMet
      412 ConditionNotMet
      400 AccessTierNotSupportedForBlobType
      400 BothCrc64AndMd5HeaderPresent
      400 BothCrc64AndMd5RangeHeaderPresent
      400 BlockListTooLong
      400 Crc64Mismatch
      400 InvalidBlobOrBlock
      400 InvalidBlockId
      400 InvalidBlockList
      400 InvalidInput
      400 InvalidMd5
      400 InvalidOperation
      400 Md5Mismatch
      400 MultipleConditionHeadersNotSupported
      400 MutuallyExclusiveQueryParameters
      400 UnsatisfiableCondition
      400 UnsupportedHeader
      403 UnauthorizedBlobOverwrite
      404 BlobNotFound
      404 ContainerNotFound
      401 CannotVerifyCopySource
      403 CannotVerifyCopySource
      404 CannotVerifyCopySource
      409 CannotVerifyCopySource
      500 CannotVerifyCopySource
      412 CannotVerifyCopySource
      304 CannotVerifyCopySource
      409 BlobAlreadyExists
      409 BlobArchived
      409 BlobBeingRehydrated
      409 BlobIsSealed
      409 BlockCountExceedsLimit
      409 ContainerAlreadyExists
      409 ContainerBeingDeleted
      409 CopyIdMismatch
      409 InvalidBlobType
      409 LeaseAlreadyPresent
      409 LeaseIdMismatchWithLeaseOperation
      409 LeaseIsBreakingAndCannotBeAcquired
      409 LeaseIsBreakingAndCannotBeChanged
      409 LeaseIsBrokenAndCannotBeRenewed
      409 LeaseNotPresentWithLeaseOperation
      409 NoPendingCopyOperation
      409 PendingCopyOperation
      409 SnapshotsPresent
      412 AppendPositionConditionNotMet
      412 InfiniteLeaseDurationRequired
      412 LeaseIdMismatchWithBlobOperation
      412 LeaseIdMismatchWithContainerOperation
      412 LeaseIdMissing
      412 LeaseLost
      412 LeaseNotPresentWithBlobOperation
      412 LeaseNotPresentWithContainerOperation
      412 MaxBlobSizeConditionNotMet
      412 SourceConditionNotMet
      412 TargetConditionNotMet
      400 PreviousSnapshotCannotBeNewer
      409 BlobOverwritten
      409 PreviousSnapshotNotFound
      409 SequenceNumberIncrementTooLarge
      412 SequenceNumberConditionNotMet
      416 InvalidPageRange
      416 InvalidRange
      """;

  @Test
  void theWholeCatalogueIsThere() throws IllegalAccessException {
    List<String> known = new ArrayList<>();
    for (Field field : BlobErrors.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        ServiceError error = (ServiceError) field.get(null);
        // One error has only the text of the parser that refused the expression.
        String message = error.message().equals("{Reason}") ? "A reason." : error.message();
        assertThat(message).endsWith(".").doesNotContain("{");
        known.add(error.status() + " " + error.code());
      }
    }
    assertThat(known).containsAll(CATALOGUE.lines().toList());
  }
}
