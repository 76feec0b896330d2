package io.lazuli.server.identity;

import java.util.List;
import java.util.Set;

/**
 * The audiences that a token may have: those that the operator listed, or else those of Azure
 * Storage.
 *
 * @param listed empty for those of Azure Storage
 */
record Audiences(Set<String> listed) {
  /** Azure Storage as a whole, by its names and by its application id. */
  private static final Set<String> STORAGE =
      Set.of(
          "https://storage.azure.com",
          "https://storage.azure.com/",
          "e406a681-f3d4-42a8-90b6-c2b029497af1");

  /** The domains of Azure's clouds, for the audience of one account. */
  private static final List<String> CLOUDS =
      List.of(
          ".core.windows.net",
          ".core.usgovcloudapi.net",
          ".core.chinacloudapi.cn",
          ".core.cloudapi.de");

  /** Returns whether one of a token's audiences is this service of this account. */
  boolean contain(List<String> audiences, String account, String service) {
    return audiences.stream()
        .anyMatch(
            audience ->
                listed.isEmpty()
                    ? STORAGE.contains(audience) || isAccount(audience, account, service)
                    : listed.contains(audience));
  }

  private static boolean isAccount(String audience, String account, String service) {
    String bare = audience.endsWith("/") ? audience.substring(0, audience.length() - 1) : audience;
    String host = "https://" + account + "." + service;
    return bare.startsWith(host) && CLOUDS.contains(bare.substring(host.length()));
  }
}
