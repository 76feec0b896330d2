/** The rules of the table service. */
@NullMarked
package io.lazuli.server.table.service;

import org.jspecify.annotations.NullMarked;
