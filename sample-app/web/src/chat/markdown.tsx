import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown';
import remarkGfm from 'remark-gfm';

const PLUGINS = [remarkGfm];

const COMPONENTS = {
  a: ({ href, children }: { href?: string; children?: React.ReactNode }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
  pre: ({ children }: { children?: React.ReactNode }) => (
    <pre tabIndex={0}>{children}</pre>
  ),
};

/** Text as it comes, laid out as Markdown. */
export function Markdown() {
  return (
    <MarkdownTextPrimitive
      className="markdown"
      remarkPlugins={PLUGINS}
      components={COMPONENTS}
      smooth={false}
    />
  );
}
