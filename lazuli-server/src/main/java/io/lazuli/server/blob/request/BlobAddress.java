package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.error.CommonErrors;

/** The address of a blob within an account. */
public record BlobAddress(ContainerName container, BlobName blob) {
  /**
   * Returns the address, or throws 400. The blobs of {@code $root} have no slash in their names.
   */
  public static BlobAddress require(String container, String blob) {
    BlobAddress address = new BlobAddress(ContainerName.require(container), BlobName.require(blob));
    if (address.container.equals(ContainerName.ROOT) && blob.indexOf('/') >= 0) {
      throw CommonErrors.INVALID_RESOURCE_NAME.exception();
    }
    return address;
  }

  /**
   * Returns the name that access is checked by: the container, a slash and the name of the blob.
   */
  public String resource() {
    return container.text() + "/" + blob.text();
  }
}
