/** Settings that every service has: properties, CORS rules, stored access policies. */
@NullMarked
package io.lazuli.server.settings;

import org.jspecify.annotations.NullMarked;
