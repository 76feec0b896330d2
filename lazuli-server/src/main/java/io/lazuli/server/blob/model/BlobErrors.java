package io.lazuli.server.blob.model;

import io.lazuli.server.error.ServiceError;

/** The errors of the blob service, with the texts of the live service (blob-rest 16). */
public final class BlobErrors {
  public static final ServiceError CONDITION_NOT_MET =
      new ServiceError(
          "ConditionNotMet",
          412,
          "The condition specified using HTTP conditional header(s) is not met.");

  /** The error of a read whose condition failed; the response has no body. */
  public static final ServiceError NOT_MODIFIED =
      new ServiceError(
          "ConditionNotMet",
          304,
          "The condition specified using HTTP conditional header(s) is not met.");

  public static final ServiceError BOTH_CHECKSUMS =
      new ServiceError(
          "BothCrc64AndMd5HeaderPresent",
          400,
          "Both x-ms-content-crc64 header and Content-MD5 header are present.");
  public static final ServiceError BOTH_RANGE_CHECKSUMS =
      new ServiceError(
          "BothCrc64AndMd5RangeHeaderPresent",
          400,
          "Both x-ms-range-get-content-crc64 header and x-ms-range-get-content-md5 header are"
              + " present.");
  public static final ServiceError BLOCK_LIST_TOO_LONG =
      new ServiceError(
          "BlockListTooLong", 400, "The block list may not contain more than 50,000 blocks.");
  public static final ServiceError CRC64_MISMATCH =
      new ServiceError(
          "Crc64Mismatch",
          400,
          "The CRC64 value specified in the request did not match with the CRC64 value calculated"
              + " by the server.");
  public static final ServiceError INVALID_BLOB_OR_BLOCK =
      new ServiceError(
          "InvalidBlobOrBlock", 400, "The specified blob or block content is invalid.");
  public static final ServiceError INVALID_BLOCK_ID =
      new ServiceError(
          "InvalidBlockId",
          400,
          "The specified block ID is invalid. The block ID must be Base64-encoded.");
  public static final ServiceError INVALID_BLOCK_LIST =
      new ServiceError("InvalidBlockList", 400, "The specified block list is invalid.");
  public static final ServiceError INVALID_INPUT =
      new ServiceError("InvalidInput", 400, "One of the request inputs is not valid.");
  public static final ServiceError INVALID_MD5 =
      new ServiceError(
          "InvalidMd5",
          400,
          "The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64"
              + " encoded.");
  public static final ServiceError INVALID_OPERATION =
      new ServiceError("InvalidOperation", 400, "Invalid operation against a blob snapshot.");
  public static final ServiceError MD5_MISMATCH =
      new ServiceError(
          "Md5Mismatch",
          400,
          "The MD5 value specified in the request did not match with the MD5 value calculated by"
              + " the server.");
  public static final ServiceError MULTIPLE_CONDITION_HEADERS =
      new ServiceError(
          "MultipleConditionHeadersNotSupported",
          400,
          "Multiple condition headers are not supported.");

  /** The text of the live service is not known. */
  public static final ServiceError MUTUALLY_EXCLUSIVE_PARAMETERS =
      new ServiceError(
          "MutuallyExclusiveQueryParameters",
          400,
          "Mutually exclusive query parameters are specified in the request URI.");

  public static final ServiceError TIER_NOT_SUPPORTED =
      new ServiceError(
          "AccessTierNotSupportedForBlobType",
          400,
          "The access tier is not supported for this blob type.");
  public static final ServiceError BLOB_ARCHIVED =
      new ServiceError("BlobArchived", 409, "This operation is not permitted on an archived blob.");
  public static final ServiceError IMMUTABLE_DUE_TO_POLICY =
      new ServiceError(
          "BlobImmutableDueToPolicy",
          409,
          "This operation is not permitted as the blob is immutable due to a policy.");
  public static final ServiceError IMMUTABLE_DUE_TO_LEGAL_HOLD =
      new ServiceError(
          "BlobImmutableDueToLegalHold",
          409,
          "This operation is not permitted as the blob is immutable due to one or more legal"
              + " holds.");
  public static final ServiceError BLOB_BEING_REHYDRATED =
      new ServiceError(
          "BlobBeingRehydrated",
          409,
          "This operation is not permitted because the blob is being rehydrated.");
  public static final ServiceError UNSATISFIABLE_CONDITION =
      new ServiceError(
          "UnsatisfiableCondition",
          400,
          "The request includes an unsatisfiable condition for this operation.");
  public static final ServiceError TAGS_TOO_LARGE =
      new ServiceError(
          "TagsTooLarge", 400, "The tags specified exceed the maximum permissible limit.");
  public static final ServiceError EMPTY_TAG_NAME =
      new ServiceError("EmptyTagName", 400, "The name of one of the tag key-value pairs is empty.");
  public static final ServiceError DUPLICATE_TAG_NAMES =
      new ServiceError("DuplicateTagNames", 400, "The tags specified contain duplicate names.");
  public static final ServiceError INVALID_TAG =
      new ServiceError(
          "InvalidTag",
          400,
          "The tags specified are invalid. It contains characters that are not permitted.");

  /** The message is the detail, which says what is wrong with the expression of a search. */
  public static final ServiceError INVALID_TAG_QUERY =
      new ServiceError("InvalidQueryParameterValue", 400, "{Reason}");

  public static final ServiceError TAGS_GIVEN_TWICE =
      new ServiceError(
          "BothUserTagsAndSourceTagsCopyPresentException",
          400,
          "x-ms-tags header must not be present with x-ms-copy-source-tag-option as COPY.");
  public static final ServiceError UNSUPPORTED_HEADER =
      new ServiceError(
          "UnsupportedHeader",
          400,
          "One of the HTTP headers specified in the request is not supported.");

  public static final ServiceError COPY_SOURCE_NOT_AUTHORISED =
      new ServiceError(
          "CannotVerifyCopySource",
          401,
          "Could not verify the copy source within the specified time.");

  /** Azure has no such refusal, so the text is ours. */
  public static final ServiceError COPY_SOURCE_NOT_LISTED =
      new ServiceError(
          "CannotVerifyCopySource",
          403,
          "The server may not read from the host of the copy source, or not at the address that the"
              + " host has. The setting copy-source of the server adds hosts.");

  public static final ServiceError OVERWRITE_NOT_AUTHORISED =
      new ServiceError(
          "UnauthorizedBlobOverwrite",
          403,
          "This request is not authorized to perform blob overwrites.");
  public static final ServiceError BLOB_NOT_FOUND =
      new ServiceError("BlobNotFound", 404, "The specified blob does not exist.");
  public static final ServiceError CONTAINER_NOT_FOUND =
      new ServiceError("ContainerNotFound", 404, "The specified container does not exist.");
  public static final ServiceError COPY_SOURCE_NOT_FOUND =
      new ServiceError("CannotVerifyCopySource", 404, "The specified resource does not exist.");

  public static final ServiceError BLOB_ALREADY_EXISTS =
      new ServiceError("BlobAlreadyExists", 409, "The specified blob already exists.");
  public static final ServiceError BLOB_IS_SEALED =
      new ServiceError(
          "BlobIsSealed", 409, "The blob is sealed and its contents cannot be modified.");
  public static final ServiceError COMMITTED_BLOCKS_EXCEED_LIMIT =
      new ServiceError(
          "BlockCountExceedsLimit",
          409,
          "The committed block count cannot exceed the maximum limit of 50,000 blocks.");
  public static final ServiceError UNCOMMITTED_BLOCKS_EXCEED_LIMIT =
      new ServiceError(
          "BlockCountExceedsLimit",
          409,
          "The uncommitted block count cannot exceed the maximum limit of 100,000 blocks.");
  public static final ServiceError CONTAINER_ALREADY_EXISTS =
      new ServiceError("ContainerAlreadyExists", 409, "The specified container already exists.");
  public static final ServiceError CONTAINER_BEING_DELETED =
      new ServiceError(
          "ContainerBeingDeleted",
          409,
          "The specified container is being deleted. Try operation later.");

  /** The text of the live service is not known. */
  public static final ServiceError COPY_SOURCE_TOO_LARGE =
      new ServiceError(
          "CannotVerifyCopySource", 409, "The copy source is larger than the operation allows.");

  /** The source of a copy on another server cannot be used as it answers; the text is ours. */
  public static final ServiceError COPY_SOURCE_UNUSABLE =
      new ServiceError(
          "CannotVerifyCopySource",
          409,
          "The copy source answered without a length, without the range, with a redirect, or as a"
              + " kind of blob that cannot be copied.");

  public static final ServiceError COPY_ID_MISMATCH =
      new ServiceError(
          "CopyIdMismatch",
          409,
          "The specified copy ID did not match the copy ID for the pending copy operation.");
  public static final ServiceError INVALID_BLOB_TYPE =
      new ServiceError("InvalidBlobType", 409, "The blob type is invalid for this operation.");
  public static final ServiceError NO_PENDING_COPY =
      new ServiceError(
          "NoPendingCopyOperation", 409, "There is currently no pending copy operation.");
  public static final ServiceError PENDING_COPY =
      new ServiceError("PendingCopyOperation", 409, "There is currently a pending copy operation.");
  public static final ServiceError OPERATION_NOT_ALLOWED_ON_ROOT_BLOB =
      new ServiceError(
          "OperationNotAllowedOnRootBlob",
          403,
          "The specified operation is not allowed on root blob.");
  public static final ServiceError SNAPSHOTS_PRESENT =
      new ServiceError(
          "SnapshotsPresent",
          409,
          "This operation is not permitted because the blob has snapshots.");

  public static final ServiceError LEASE_ALREADY_PRESENT =
      new ServiceError("LeaseAlreadyPresent", 409, "There is already a lease present.");
  public static final ServiceError LEASE_IS_BREAKING_NO_ACQUIRE =
      new ServiceError(
          "LeaseIsBreakingAndCannotBeAcquired",
          409,
          "The lease ID matched, but the lease is currently in breaking state and cannot be"
              + " acquired until it is broken.");
  public static final ServiceError LEASE_IS_BREAKING_NO_CHANGE =
      new ServiceError(
          "LeaseIsBreakingAndCannotBeChanged",
          409,
          "The lease ID matched, but the lease is currently in breaking state and cannot be"
              + " changed.");
  public static final ServiceError LEASE_IS_BROKEN_NO_RENEW =
      new ServiceError(
          "LeaseIsBrokenAndCannotBeRenewed",
          409,
          "The lease ID matched, but the lease has been broken explicitly and cannot be renewed.");
  public static final ServiceError BLOB_LEASE_ACTION_MISMATCH =
      new ServiceError(
          "LeaseIdMismatchWithLeaseOperation",
          409,
          "The lease ID specified did not match the lease ID for the blob.");
  public static final ServiceError CONTAINER_LEASE_ACTION_MISMATCH =
      new ServiceError(
          "LeaseIdMismatchWithLeaseOperation",
          409,
          "The lease ID specified did not match the lease ID for the container.");
  public static final ServiceError BLOB_LEASE_ACTION_WITHOUT_LEASE =
      new ServiceError(
          "LeaseNotPresentWithLeaseOperation", 409, "There is currently no lease on the blob.");
  public static final ServiceError CONTAINER_LEASE_ACTION_WITHOUT_LEASE =
      new ServiceError(
          "LeaseNotPresentWithLeaseOperation",
          409,
          "There is currently no lease on the container.");
  public static final ServiceError INFINITE_LEASE_REQUIRED =
      new ServiceError(
          "InfiniteLeaseDurationRequired",
          412,
          "The lease ID matched, but the specified lease must be an infinite-duration lease.");
  public static final ServiceError BLOB_LEASE_MISMATCH =
      new ServiceError(
          "LeaseIdMismatchWithBlobOperation",
          412,
          "The lease ID specified did not match the lease ID for the blob.");
  public static final ServiceError CONTAINER_LEASE_MISMATCH =
      new ServiceError(
          "LeaseIdMismatchWithContainerOperation",
          412,
          "The lease ID specified did not match the lease ID for the container.");
  public static final ServiceError BLOB_LEASE_ID_MISSING =
      new ServiceError(
          "LeaseIdMissing",
          412,
          "There is currently a lease on the blob and no lease ID was specified in the request.");
  public static final ServiceError CONTAINER_LEASE_ID_MISSING =
      new ServiceError(
          "LeaseIdMissing",
          412,
          "There is currently a lease on the container and no lease ID was specified in the"
              + " request.");
  public static final ServiceError BLOB_LEASE_LOST =
      new ServiceError(
          "LeaseLost", 412, "A lease ID was specified, but the lease for the blob has expired.");
  public static final ServiceError CONTAINER_LEASE_LOST =
      new ServiceError(
          "LeaseLost",
          412,
          "A lease ID was specified, but the lease for the container has expired.");
  public static final ServiceError BLOB_WITHOUT_LEASE =
      new ServiceError(
          "LeaseNotPresentWithBlobOperation", 412, "There is currently no lease on the blob.");
  public static final ServiceError CONTAINER_WITHOUT_LEASE =
      new ServiceError(
          "LeaseNotPresentWithContainerOperation",
          412,
          "There is currently no lease on the container.");

  public static final ServiceError APPEND_POSITION_NOT_MET =
      new ServiceError(
          "AppendPositionConditionNotMet",
          412,
          "The append position condition specified was not met.");
  public static final ServiceError MAX_BLOB_SIZE_NOT_MET =
      new ServiceError(
          "MaxBlobSizeConditionNotMet", 412, "The max blob size condition specified was not met.");

  /**
   * The error of a synchronous copy, or of a block from a URL, if a condition on its source is not
   * met.
   */
  public static final ServiceError COPY_SOURCE_CONDITION_NOT_MET =
      new ServiceError(
          "CannotVerifyCopySource",
          412,
          "Could not verify the copy source within the specified time.");

  /** The same error if the source did not change; the response has no body. */
  public static final ServiceError COPY_SOURCE_NOT_MODIFIED =
      new ServiceError(
          "CannotVerifyCopySource",
          304,
          "Could not verify the copy source within the specified time.");

  public static final ServiceError SOURCE_CONDITION_NOT_MET =
      new ServiceError(
          "SourceConditionNotMet",
          412,
          "The source condition specified using HTTP conditional header(s) is not met.");
  public static final ServiceError TARGET_CONDITION_NOT_MET =
      new ServiceError(
          "TargetConditionNotMet",
          412,
          "The target condition specified using HTTP conditional header(s) is not met.");
  public static final ServiceError PREVIOUS_SNAPSHOT_NEWER =
      new ServiceError(
          "PreviousSnapshotCannotBeNewer",
          400,
          "The prevsnapshot query parameter value cannot be newer than snapshot query parameter"
              + " value.");

  public static final ServiceError PREVIOUS_SNAPSHOT_NOT_FOUND =
      new ServiceError("PreviousSnapshotNotFound", 409, "The previous snapshot is not found.");

  public static final ServiceError BLOB_OVERWRITTEN =
      new ServiceError(
          "BlobOverwritten",
          409,
          "The blob has been recreated since the previous snapshot was taken.");

  public static final ServiceError SEQUENCE_NUMBER_TOO_LARGE =
      new ServiceError(
          "SequenceNumberIncrementTooLarge",
          409,
          "The sequence number increment cannot be performed because it would result in overflow of"
              + " the sequence number.");

  public static final ServiceError SEQUENCE_NUMBER_CONDITION_NOT_MET =
      new ServiceError(
          "SequenceNumberConditionNotMet",
          412,
          "The sequence number condition specified was not met.");

  public static final ServiceError INVALID_PAGE_RANGE =
      new ServiceError("InvalidPageRange", 416, "The page range specified is invalid.");

  public static final ServiceError INVALID_RANGE =
      new ServiceError(
          "InvalidRange",
          416,
          "The range specified is invalid for the current size of the resource.");

  public static final ServiceError COPY_SOURCE_UNREACHABLE =
      new ServiceError(
          "CannotVerifyCopySource",
          500,
          "Could not verify the copy source within the specified time. Examine the HTTP status code"
              + " and message for more information about the failure.");

  private BlobErrors() {}
}
