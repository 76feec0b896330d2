package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireRequest;

/** The operations of the service, with the permissions that a signature needs (blob-rest 7). */
enum BlobCall {
  LIST_CONTAINERS("", 's', "l", 200),
  GET_SERVICE_PROPERTIES("", 's', "r", 200),
  CREATE_CONTAINER("", 'c', "cw", 201),
  GET_CONTAINER_PROPERTIES("", 'c', "r", 200),
  GET_CONTAINER_METADATA("", 'c', "r", 200),
  SET_CONTAINER_METADATA("", 'c', "w", 200),
  LEASE_CONTAINER("", 'c', "w", 201),
  BREAK_CONTAINER_LEASE("", 'c', "wd", 202),
  DELETE_CONTAINER("", 'c', "d", 202),
  GET_CONTAINER_ACL("", '-', "", 200),
  SET_CONTAINER_ACL("", '-', "", 200),
  LIST_BLOBS("l", 'c', "l", 200),
  GET_BLOB("r", 'o', "r", 200),
  GET_BLOB_PROPERTIES("r", 'o', "r", 200),
  GET_BLOB_METADATA("r", 'o', "r", 200),
  GET_BLOCK_LIST("r", 'o', "r", 200),
  PUT_NEW_BLOB("cw", 'o', "cw", 201),
  PUT_BLOB_OVER_ANOTHER("w", 'o', "w", 201),
  PUT_BLOCK("w", 'o', "w", 201),
  PUT_BLOCK_OF_NEW_BLOB("cw", 'o', "cw", 201),
  PUT_BLOCK_LIST("w", 'o', "w", 201),
  PUT_BLOCK_LIST_OF_NEW_BLOB("cw", 'o', "cw", 201),
  SET_BLOB_METADATA("w", 'o', "w", 200),
  SET_BLOB_PROPERTIES("w", 'o', "w", 200),
  SET_TIER("w", 'o', "w", 200),
  APPEND_BLOCK("aw", 'o', "aw", 201),
  SEAL("w", 'o', "w", 200),
  SNAPSHOT("cw", 'o', "cw", 201),
  LEASE_BLOB("w", 'o', "w", 201),
  BREAK_BLOB_LEASE("wd", 'o', "wd", 202),
  DELETE_BLOB("d", 'o', "d", 202),
  GET_TAGS("t", 'o', "t", 200),
  SET_TAGS("t", 'o', "t", 204);

  static final String SERVICE_LETTERS = "racwdlt";
  static final String ACCOUNT_LETTERS = "rwdlactup";

  /**
   * The permission letters in a signature for the container; any one of them allows the operation.
   * Empty if no letter allows it.
   */
  final String letters;

  /** The resource type in an account signature; a dash if no type allows the operation. */
  final char type;

  /** The permission letters in an account signature; any one of them allows the operation. */
  final String accountLetters;

  final int success;

  BlobCall(String letters, char type, String accountLetters, int success) {
    this.letters = letters;
    this.type = type;
    this.accountLetters = accountLetters;
    this.success = success;
  }

  /**
   * Returns true if the operation is on the service or creates a container, so that no signature
   * for a container covers it.
   */
  boolean isElsewhere() {
    return type == 's' || this == CREATE_CONTAINER;
  }

  /** Returns true if a signature for one blob can allow the operation. */
  boolean isAboutABlob() {
    return type == 'o';
  }

  /** Prepares the container so that the request succeeds if it is allowed. */
  void prepare(ScratchContainer in) {
    switch (this) {
      case PUT_NEW_BLOB, PUT_BLOCK_OF_NEW_BLOB, PUT_BLOCK_LIST_OF_NEW_BLOB ->
          in.delete("b").header("x-ms-delete-snapshots", "include").send();
      case APPEND_BLOCK, SEAL -> in.storedLog("log");
      case BREAK_CONTAINER_LEASE ->
          in.on("PUT", "comp=lease")
              .header("x-ms-lease-action", "acquire")
              .header("x-ms-lease-duration", "60")
              .send();
      case BREAK_BLOB_LEASE -> {
        in.put("b", "x").send();
        in.lease("b", "acquire").header("x-ms-lease-duration", "60").send();
      }
      default -> in.put("b", "x").send();
    }
  }

  /**
   * Returns the name of the blob that the operation uses. Operations on containers and on the
   * service ignore it.
   */
  String blob() {
    return this == APPEND_BLOCK || this == SEAL ? "log" : "b";
  }

  WireRequest on(ScratchContainer in) {
    return switch (this) {
      case LIST_CONTAINERS -> in.wire().get("/?comp=list&prefix=" + in.name());
      case GET_SERVICE_PROPERTIES -> in.wire().get(AccountProperties.RESOURCE);
      case CREATE_CONTAINER -> ScratchContainer.named(ScratchContainer.freshName()).on("PUT", "");
      case GET_CONTAINER_PROPERTIES -> in.on("GET", "");
      case GET_CONTAINER_METADATA -> in.on("GET", "comp=metadata");
      case SET_CONTAINER_METADATA -> in.on("PUT", "comp=metadata");
      case LEASE_CONTAINER ->
          in.on("PUT", "comp=lease")
              .header("x-ms-lease-action", "acquire")
              .header("x-ms-lease-duration", "15");
      case BREAK_CONTAINER_LEASE ->
          in.on("PUT", "comp=lease")
              .header("x-ms-lease-action", "break")
              .header("x-ms-lease-break-period", "0");
      case DELETE_CONTAINER -> in.on("DELETE", "");
      case GET_CONTAINER_ACL -> in.on("GET", "comp=acl");
      case SET_CONTAINER_ACL -> in.on("PUT", "comp=acl");
      case LIST_BLOBS -> in.list("");
      default -> onBlob(in);
    };
  }

  private WireRequest onBlob(ScratchContainer in) {
    return switch (this) {
      case GET_BLOB -> in.get("b");
      case GET_BLOB_PROPERTIES -> in.head("b");
      case GET_BLOB_METADATA -> in.on("GET", "b", "comp=metadata");
      case GET_BLOCK_LIST -> in.on("GET", "b", "comp=blocklist");
      case PUT_NEW_BLOB, PUT_BLOB_OVER_ANOTHER -> in.put("b", "y");
      case PUT_BLOCK, PUT_BLOCK_OF_NEW_BLOB ->
          in.on("PUT", "b", "comp=block&blockid=" + Keys.encode(ScratchContainer.blockId("1")))
              .body("x");
      case PUT_BLOCK_LIST, PUT_BLOCK_LIST_OF_NEW_BLOB -> in.commit("b");
      case SET_BLOB_METADATA -> in.on("PUT", "b", "comp=metadata");
      case SET_BLOB_PROPERTIES -> in.on("PUT", "b", "comp=properties");
      case SET_TIER -> in.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool");
      case APPEND_BLOCK -> in.append("log", "x");
      case SEAL -> in.on("PUT", "log", "comp=seal");
      case SNAPSHOT -> in.on("PUT", "b", "comp=snapshot");
      case LEASE_BLOB -> in.lease("b", "acquire").header("x-ms-lease-duration", "15");
      case BREAK_BLOB_LEASE -> in.lease("b", "break").header("x-ms-lease-break-period", "0");
      case DELETE_BLOB -> in.delete("b");
      case GET_TAGS -> in.on("GET", "b", "comp=tags");
      case SET_TAGS -> in.on("PUT", "b", "comp=tags").body("<Tags><TagSet /></Tags>");
      default -> throw new IllegalStateException("not an operation on a blob: " + this);
    };
  }
}
