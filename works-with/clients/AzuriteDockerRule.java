package org.apache.jackrabbit.oak.blob.cloud.azure.blobstorage;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.blob.CloudBlobContainer;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import org.junit.rules.ExternalResource;

/**
 * Stands in for the rule of the same name in Oak's tests, which starts Azurite in a container: the
 * tests get the server that runs already.
 */
public class AzuriteDockerRule extends ExternalResource {
  public static final String ACCOUNT_NAME = System.getenv("account");
  public static final String ACCOUNT_KEY = System.getenv("key");

  public String getBlobEndpoint() {
    return System.getenv("blob");
  }

  public int getMappedPort() {
    return URI.create(getBlobEndpoint()).getPort();
  }

  public CloudStorageAccount getCloudStorageAccount()
      throws URISyntaxException, InvalidKeyException {
    return CloudStorageAccount.parse(System.getenv("connection"));
  }

  /** Returns an empty container. */
  public CloudBlobContainer getContainer(String name)
      throws URISyntaxException, StorageException, InvalidKeyException {
    CloudBlobContainer container =
        getCloudStorageAccount().createCloudBlobClient().getContainerReference(name);
    container.deleteIfExists();
    container.create();
    return container;
  }
}
