import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { parseByteSize } from './byte-size.js';
import { parseDuration } from './duration.js';

// The environment knows strings only, so each kind of property reads its own kind of string.

/** `true` or `false`. */
export const Flag = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) =>
      value === 'true' ? true : value === 'false' ? false : (value as unknown),
    ),
    IsBoolean({ message: 'true or false' }),
  );

/** One of a list of words. */
export const OneOf = (...words: string[]): PropertyDecorator =>
  IsIn(words, { message: `one of ${words.join(', ')}` });

/** A duration, kept as milliseconds. */
export const Milliseconds = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => parseDuration(value) ?? (value as unknown)),
    ValidateBy(
      { name: 'duration', validator: { validate: isMilliseconds } },
      { message: 'milliseconds, or a duration such as 500ms, 30s, 10m or 1h' },
    ),
  );

/** A size, kept as bytes. */
export const Bytes = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => parseByteSize(value) ?? (value as unknown)),
    ValidateBy(
      { name: 'size', validator: { validate: isSize } },
      { message: 'bytes, or a size such as 512kb or 10mb' },
    ),
  );

/** A whole number in a range. */
export const Whole = (min: number, max: number): PropertyDecorator => {
  const message = `a whole number from ${min} to ${max}`;
  return applyDecorators(
    Transform(({ value }) =>
      typeof value === 'string' && /^-?\d+$/.test(value.trim())
        ? Number(value)
        : (value as unknown),
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
};

/** Text of a certain form. */
export const Text = (form: RegExp, allowed: string): PropertyDecorator =>
  applyDecorators(
    IsString({ message: allowed }),
    Matches(form, { message: allowed }),
  );

/** A list of texts of a certain form; in the environment separated by commas. */
export const Texts = (form: RegExp, allowed: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((item) => item.trim())
            .filter((item) => item !== '')
        : (value as unknown),
    ),
    IsArray({ message: allowed }),
    IsString({ each: true, message: allowed }),
    Matches(form, { each: true, message: allowed }),
  );

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

// Timers hold 31 bits.
function isMilliseconds(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 2 ** 31 - 1;
}
