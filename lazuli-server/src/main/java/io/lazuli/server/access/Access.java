package io.lazuli.server.access;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import java.util.List;

/**
 * The access of a caller to an account: everything, or what a shared access signature or roles
 * grant. Every operation asks it, so this is the one place that decides.
 */
public sealed interface Access {
  /** Throws the refusal unless the caller may perform the operation on the resource. */
  void require(Permission permission, String resource);

  /** Returns whether the caller may perform the operation on the resource. */
  default boolean allows(Permission permission, String resource) {
    try {
      require(permission, resource);
      return true;
    } catch (ServiceException e) {
      return false;
    }
  }

  /** Returns the range of keys in which the caller may see and change entities. */
  default KeyLimits keys() {
    return KeyLimits.NONE;
  }

  /** Returns whether the caller may choose headers of the answer (auth 4.4). */
  default boolean setsHeaders() {
    return false;
  }

  /** Full access: a key of the account signed the request. */
  record Full() implements Access {
    @Override
    public void require(Permission permission, String resource) {}
  }

  /** Full access for the server itself, including writes that only the server makes. */
  record OfServer() implements Access {
    @Override
    public void require(Permission permission, String resource) {}
  }

  /**
   * The access of an account SAS. The authenticator has already checked that the signature is for
   * this service.
   *
   * @param resourceTypes the resource types: letters of {@code sco}
   */
  record OfAccount(String permissions, String resourceTypes) implements Access {
    @Override
    public void require(Permission permission, String resource) {
      if (permission.letters().isEmpty()) {
        throw CommonErrors.AUTHORIZATION_FAILURE.exception();
      }
      if (!permission.isOfType(resourceTypes)) {
        throw CommonErrors.AUTHORIZATION_RESOURCE_TYPE_MISMATCH.exception();
      }
      if (!permission.isGrantedBy(permissions)) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }
  }

  /**
   * The access of a service SAS.
   *
   * @param resource the resource that the signature is for, by its name in the catalogue
   */
  record OfResource(String resource, String permissions, KeyLimits keys) implements Access {
    @Override
    public boolean setsHeaders() {
      return true;
    }

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

  /**
   * The access of a service SAS for a container. It includes the blobs in the container, named
   * after a slash.
   */
  record OfContainer(String container, String permissions) implements Access {
    @Override
    public boolean setsHeaders() {
      return true;
    }

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
   * The access of a service SAS for a virtual directory (blob-features 9.2). It includes the blob
   * with the name of the directory, everything that begins with the directory and a slash, and
   * listings whose prefix does.
   *
   * @param directory the container, a slash and the directory; ends with a slash for the whole
   *     container
   */
  record OfDirectory(String directory, String permissions) implements Access {
    @Override
    public boolean setsHeaders() {
      return true;
    }

    @Override
    public void require(Permission permission, String asked) {
      boolean itself = asked.equals(directory) && permission.resourceType() == Permission.OBJECT;
      String inside = directory.endsWith("/") ? directory : directory + "/";
      if (!permission.byResource() || !(itself || asked.startsWith(inside))) {
        throw CommonErrors.AUTHORIZATION_FAILURE.exception();
      }
      if (!permission.isGrantedBy(permissions)) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }
  }

  /**
   * The access of a caller with a token: what its roles grant, and nothing else.
   *
   * @param grants the grants on resources of this account and service
   */
  record OfRoles(Identity identity, List<RoleGrant> grants) implements Access {
    public OfRoles {
      grants = List.copyOf(grants);
    }

    @Override
    public void require(Permission permission, String asked) {
      boolean granted =
          permission.roleActions().stream()
              .anyMatch(all -> all.stream().allMatch(action -> isGranted(action, asked)));
      if (!granted) {
        throw CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH.exception();
      }
    }

    private boolean isGranted(String action, String asked) {
      return grants.stream().anyMatch(grant -> grant.allows(action, asked));
    }
  }

  /**
   * The access of a user delegation SAS: what both the signature and the roles of its maker grant
   * (blob-features 9.4).
   *
   * @param roles what the roles of the maker grant now
   */
  record OfDelegate(Access signature, Access roles) implements Access {
    @Override
    public void require(Permission permission, String asked) {
      signature.require(permission, asked);
      roles.require(permission, asked);
    }

    @Override
    public boolean setsHeaders() {
      return true;
    }
  }

  /**
   * The access of an anonymous caller. It is empty until the public access level of the addressed
   * container is known (blob-rest 7).
   *
   * @param refusal the error for everything else
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
