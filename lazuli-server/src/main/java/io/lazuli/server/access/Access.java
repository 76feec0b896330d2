package io.lazuli.server.access;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;

/** What a caller may do with the account: everything, or what a shared access signature grants. */
public sealed interface Access {
  /** Passes if the operation may be done on the resource; throws what to answer otherwise. */
  void require(Permission permission, String resource);

  /** True if the operation may be done on the resource. */
  default boolean allows(Permission permission, String resource) {
    try {
      require(permission, resource);
      return true;
    } catch (ServiceException e) {
      return false;
    }
  }

  /** The keys within which entities are seen and changed. */
  default KeyLimits keys() {
    return KeyLimits.NONE;
  }

  /** Everything: a key of the account signed the request. */
  record Full() implements Access {
    @Override
    public void require(Permission permission, String resource) {}
  }

  /** Everything, and what only the server itself does: its own writes. */
  record OfServer() implements Access {
    @Override
    public void require(Permission permission, String resource) {}
  }

  /**
   * What an account SAS grants; that it is for this service was checked before.
   *
   * @param resourceTypes letters of {@code sco}
   */
  record OfAccount(String permissions, String resourceTypes) implements Access {
    @Override
    public void require(Permission permission, String resource) {
      if (permission.letters().isEmpty()) {
        throw CommonErrors.AUTHORIZATION_FAILURE.exception();
      }
      if (resourceTypes.indexOf(permission.resourceType()) < 0) {
        throw CommonErrors.AUTHORIZATION_RESOURCE_TYPE_MISMATCH.exception();
      }
      if (!permission.isGrantedBy(permissions)) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }
  }

  /**
   * What a service SAS grants.
   *
   * @param resource the one it is for, as the catalogue knows it
   */
  record OfResource(String resource, String permissions, KeyLimits keys) implements Access {
    @Override
    public void require(Permission permission, String asked) {
      if (!permission.byResource() || !asked.equals(resource)) {
        throw CommonErrors.AUTHORIZATION_FAILURE.exception();
      }
      if (!permission.isGrantedBy(permissions)) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }
  }

  /** What a service SAS for a container grants: also on the blobs in it, named behind a slash. */
  record OfContainer(String container, String permissions) implements Access {
    @Override
    public void require(Permission permission, String asked) {
      boolean inside = asked.equals(container) || asked.startsWith(container + "/");
      if (!permission.byResource() || !inside) {
        throw CommonErrors.AUTHORIZATION_FAILURE.exception();
      }
      if (!permission.isGrantedBy(permissions)) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }
  }

  /**
   * What anybody may do without credentials: nothing, until it is known what the owner of the
   * addressed container opened (blob-rest 7).
   *
   * @param refusal what is answered to everything else
   * @param blobs true if blobs may be read
   * @param container true if the container's properties may be read and its blobs listed
   */
  record OfAnybody(ServiceError refusal, boolean blobs, boolean container) implements Access {
    @Override
    public void require(Permission permission, String asked) {
      boolean open =
          switch (permission.resourceType()) {
            case Permission.OBJECT -> blobs && permission.isGrantedBy("r");
            case Permission.CONTAINER -> container && permission.isGrantedBy("rl");
            default -> false;
          };
      if (!open) {
        throw refusal.exception();
      }
    }
  }
}
