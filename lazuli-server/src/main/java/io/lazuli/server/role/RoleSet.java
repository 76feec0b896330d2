package io.lazuli.server.role;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.access.Access;
import io.lazuli.server.access.Identity;
import io.lazuli.server.access.RoleGrant;
import io.lazuli.server.watch.RefusedFileException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** All role assignments of a server. */
public final class RoleSet {
  /** The most assignments of one file. */
  static final int ASSIGNMENTS_MAX = 20_000;

  /** The most identities whose assignments are remembered. */
  static final int IDENTITIES_MAX = 10_000;

  static final RoleSet EMPTY = new RoleSet(List.of());

  private final List<RoleAssignment> assignments;
  private final Map<Principal, List<RoleAssignment>> byPrincipal;

  /**
   * The assignments of identities, which every request asks for. Identities are compared by
   * reference here: a verified token keeps its identity.
   */
  private final Cache<Identity, List<RoleAssignment>> held =
      Caffeine.newBuilder().weakKeys().maximumSize(IDENTITIES_MAX).executor(Runnable::run).build();

  public RoleSet(List<RoleAssignment> assignments) {
    if (assignments.size() > ASSIGNMENTS_MAX) {
      throw new RefusedFileException("there are more than " + ASSIGNMENTS_MAX + " roles");
    }
    this.assignments = List.copyOf(assignments);
    this.byPrincipal =
        assignments.stream().collect(Collectors.groupingBy(RoleAssignment::principal));
  }

  public List<RoleAssignment> assignments() {
    return assignments;
  }

  /** Returns what the roles of an identity grant; everything else is refused. */
  public Access access(String account, String service, Identity identity) {
    return new Access.OfRoles(identity, grants(account, service, identity));
  }

  /** Returns the grants of the roles of an identity, on one service of one account. */
  public List<RoleGrant> grants(String account, String service, Identity identity) {
    List<RoleGrant> grants = new ArrayList<>();
    for (RoleAssignment one : held(identity)) {
      Scope scope = one.scope();
      boolean here = scope.account().equals(account) && scope.isWithin(service);
      if (here && one.role().isFor(service)) {
        grants.add(new RoleGrant(scope.resource(), one.role().actions()));
      }
    }
    return grants;
  }

  private List<RoleAssignment> held(Identity identity) {
    return held.get(
        identity,
        asked ->
            Principal.of(asked).stream()
                .flatMap(named -> byPrincipal.getOrDefault(named, List.of()).stream())
                .filter(one -> one.isFrom(asked.issuer()))
                .toList());
  }

  /** Returns the roles of an identity on the server itself. */
  public Set<Role> ofServer(Identity identity) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    held(identity).stream()
        .filter(one -> one.scope().equals(Scope.SERVER) && one.role().isOfServer())
        .forEach(one -> roles.add(one.role()));
    return roles;
  }

  /**
   * Adds an assignment.
   *
   * @throws RefusedFileException if it is there already, or if the role is for another service
   */
  public RoleSet add(RoleAssignment added) {
    if (assignments.contains(added)) {
      throw new RefusedFileException("this role is assigned already");
    }
    if (added.role().isOfServer() != added.scope().equals(Scope.SERVER)) {
      throw new RefusedFileException(
          added.role().isOfServer()
              ? "the scope of the role " + added.role().title() + " is /"
              : "the scope / is for the roles of the server: lazuli-reader, lazuli-editor,"
                  + " lazuli-operator and lazuli-admin");
    }
    if (!added.scope().service().isEmpty() && !added.role().isFor(added.scope().service())) {
      throw new RefusedFileException(
          "the role %s has no effect on the %s service"
              .formatted(added.role().title(), added.scope().service()));
    }
    List<RoleAssignment> more = new ArrayList<>(assignments);
    more.add(added);
    return new RoleSet(more);
  }

  /**
   * Removes an assignment.
   *
   * @throws RefusedFileException if it is not there
   */
  public RoleSet remove(RoleAssignment removed) {
    List<RoleAssignment> rest = new ArrayList<>(assignments);
    if (!rest.remove(removed)) {
      throw new RefusedFileException("this role is not assigned");
    }
    return new RoleSet(rest);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoleSet set && assignments.equals(set.assignments);
  }

  @Override
  public int hashCode() {
    return assignments.hashCode();
  }
}
