package io.lazuli.server.http;

/**
 * The account and path that a request is addressed to, in path style or in host style.
 *
 * @param account the account's name, without the suffix of the secondary
 * @param secondary true if the read-only address was used
 * @param path the raw path below the account, beginning with a slash or empty
 * @param base the URL of the account on this service as the client sees it, without a trailing
 *     slash
 */
public record Address(String account, boolean secondary, String path, String base) {}
